import type { StayDetail } from "@innkey/shared/schemas/stays/stays";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it, vi } from "vitest";
import { StayProgress } from "./stay-progress.tsx";

vi.mock("@/lib/i18n.ts", () => ({
  language: { tag: "en" },
  t: (key: string, params?: { time?: string }) => [key, params?.time].filter(Boolean).join(" "),
}));
vi.mock("@/lib/format.ts", () => ({
  formatDateTime: (instant: string) => instant,
  formatDuration: (milliseconds: number) => `${milliseconds / 3_600_000} h`,
}));
vi.mock("@/lib/session.ts", () => ({ useHotel: () => ({ timeZone: "UTC" }) }));
vi.mock("@/lib/time/timers.ts", () => ({ useNow: () => Date.parse("2026-11-18T12:00:00.000Z") }));

const progress = (endsAt: string): string => {
  const facts = { startsAt: "2026-11-17T14:00:00.000Z", checkedInAt: "2026-11-17T15:00:00.000Z", endsAt };
  const expired = Date.parse(endsAt) <= Date.parse("2026-11-18T12:00:00.000Z");
  const stay = { ...facts, state: "checked_in", expired, checkedOutAt: null } as StayDetail;
  return renderToStaticMarkup(createElement(StayProgress, { stay }));
};

it("a stay shows its start, its end and the time left, or how long ago it ended", () => {
  const page = progress("2026-11-18T14:00:00.000Z");
  for (const label of ["2026-11-17T15:00:00.000Z", "2026-11-18T14:00:00.000Z", "guest.remaining 2 h"])
    expect(page).toContain(label);
  expect(progress("2026-11-18T11:00:00.000Z")).toContain("guest.overdueBy 1 h");
});
