import type { GuestPage } from "@innkey/shared/schemas/overview/guest-page";
import { beforeEach, expect, it, vi } from "vitest";
import { forgetKeptPages, keepPage, readKeptPage } from "./kept-page.ts";

const DAY_MS = 86_400_000;
const storage = new Map<string, string>();
vi.stubGlobal("localStorage", {
  getItem: (name: string) => storage.get(name) ?? null,
  setItem: (name: string, value: string) => void storage.set(name, value),
  removeItem: (name: string) => void storage.delete(name),
});

/** The page of a guest, whose stay ends after some days; `name` is null before the guest has shown who they are. */
const pageOf = (name: string | null, days = 1): GuestPage =>
  ({
    stay: { endsAt: new Date(Date.now() + days * DAY_MS).toISOString() },
    inside: name === null ? null : { guestName: name },
  }) as GuestPage;

beforeEach(() => storage.clear());

it("keeps one page, for its own link alone", () => {
  keepPage("a", pageOf("Ada"));
  expect(readKeptPage("b")).toBeNull();
  expect(readKeptPage("a")?.page.inside?.guestName).toBe("Ada");
  keepPage("b", pageOf("Ben"));
  expect(readKeptPage("a")).toBeNull();
});

it("loses it when its link shows nothing any more, and not by another link", () => {
  keepPage("a", pageOf("Ada"));
  keepPage("wrong", null);
  keepPage("b", pageOf(null));
  expect(readKeptPage("a")?.page.inside?.guestName).toBe("Ada");
  keepPage("a", null);
  expect(storage.size).toBe(0);
});

it("loses every link's page when the guests are removed, and keeps none that was asked for before", () => {
  const askedAt = Date.now();
  keepPage("a", pageOf("Ada"));
  forgetKeptPages();
  expect(readKeptPage("a")).toBeNull();
  keepPage("a", pageOf("Ada"), askedAt);
  expect(readKeptPage("a")).toBeNull();
  keepPage("a", pageOf("Ada"), Date.now() + 1);
  expect(readKeptPage("a")?.page.inside?.guestName).toBe("Ada");
});

it("removes it a day after the stay, whichever link is opened", () => {
  keepPage("a", pageOf("Ada", -0.9));
  expect(readKeptPage("b")).toBeNull();
  expect(storage.size).toBe(1);
  keepPage("a", pageOf("Ada", -1.1));
  expect(readKeptPage("b")).toBeNull();
  expect(storage.size).toBe(0);
});
