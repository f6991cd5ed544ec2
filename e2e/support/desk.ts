import type { Page } from "@playwright/test";
import { expect } from "./test.ts";

/** Calls the console's own API with the page's session, for setting a scene and for checking what was written. */
export async function call<T>(page: Page, kind: "query" | "mutation", procedure: string, input: unknown): Promise<T> {
  const origin = process.env.E2E_URL ?? "";
  const headers = { "x-innkey": "1", origin, "content-type": "application/json" };
  const url = `/api/trpc/${procedure}`;
  const response =
    kind === "query"
      ? await page.request.get(`${url}?input=${encodeURIComponent(JSON.stringify(input))}`, { headers })
      : await page.request.post(url, { headers, data: JSON.stringify(input) });
  const body = (await response.json()) as { result?: { data: T }; error?: unknown };
  if (!body.result) throw new Error(`${procedure}: ${JSON.stringify(body.error)}`);
  return body.result.data;
}

/** A clean room with prices of its own, so that tests don't stand in one another's way. */
export async function createRoom(page: Page, name: string, usualMinor: number): Promise<number> {
  const { roomId } = await call<{ roomId: number }>(page, "mutation", "rooms.save", { name, groupId: null });
  const prices = { depositMinor: 5_000, usualMinor, weekendMinor: usualMinor };
  await call(page, "mutation", "rooms.setPrices", { roomIds: [roomId], prices });
  return roomId;
}

export interface StayMoney {
  chargedMinor: number;
  paidMinor: number;
  owedMinor: number;
  depositHeldMinor: number;
}

export interface Stay {
  id: number;
  state: string;
  room: { id: number; name: string };
  money: StayMoney;
  guests: { manageId: number; name: string; documentNumber: string }[];
}

/** The stay of the only guest of that name. */
export async function findStay(page: Page, guestName: string): Promise<Stay> {
  const { rows } = await call<{ rows: { manageId: number; name: string }[] }>(page, "query", "guests.list", {
    keyword: guestName,
  });
  expect(rows).toHaveLength(1);
  return call<Stay>(page, "query", "stays.byGuest", { manageId: rows[0]?.manageId });
}
