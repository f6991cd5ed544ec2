import { randomBytes } from "node:crypto";
import { expect, type Locator, type Page } from "@playwright/test";
import { confirmInitialPassword } from "./database.ts";
import type { Translate } from "./texts.ts";

/** Calls the console's API with the page's session, to set up a scene or check what was stored. */
export async function call<T>(page: Page, kind: "query" | "mutation", procedure: string, input: unknown): Promise<T> {
  const headers = { "x-innkey": "1", "content-type": "application/json" };
  const url = `/api/trpc/${procedure}`;
  const response =
    kind === "query"
      ? await page.request.get(
          input === undefined ? url : `${url}?input=${encodeURIComponent(JSON.stringify(input))}`,
          {
            headers,
          },
        )
      : await page.request.post(url, { headers, data: JSON.stringify(input) });
  const body = (await response.json()) as { result?: { data: T }; error?: unknown };
  if (!body.result) throw new Error(`${procedure}: ${JSON.stringify(body.error)}`);
  return body.result.data;
}

/** Returns a random MAC address, so that no two tests use the same one. */
export function newMac(): string {
  return `D4:3A:${(randomBytes(4).toString("hex").toUpperCase().match(/../g) ?? []).join(":")}`;
}

/** Creates a clean room with its own prices, so that tests don't interfere with each other. */
export async function createRoom(page: Page, name: string, usualMinor: number, mac?: string): Promise<number> {
  const lock = mac ? { mac } : null;
  const { roomId } = await call<{ roomId: number }>(page, "mutation", "rooms.save", { name, groupId: null, lock });
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
  guests: { stayGuestId: number; name: string; documentNumber: string }[];
}

/** Finds the stay of the only guest with that name. */
export async function findStay(page: Page, guestName: string): Promise<Stay> {
  const { rows } = await call<{ rows: { stayGuestId: number; name: string }[] }>(page, "query", "guests.list", {
    keyword: guestName,
  });
  expect(rows).toHaveLength(1);
  return call<Stay>(page, "query", "stays.byGuest", { stayGuestId: rows[0]?.stayGuestId });
}

export async function logInThroughApi(page: Page, account: string, password: string): Promise<void> {
  await call(page, "mutation", "auth.login", { account, password });
}

export interface Operator {
  operatorId: number;
  name: string;
  account: string;
  password: string;
}

interface Grants {
  capabilities: string[];
  roomIds: number[];
}

/**
 * Creates a staff member whose initial password needs no change: an administrator, or with `grants` a member of staff.
 * `tag` makes name and account unique.
 */
export async function createOperator(owner: Page, tag: string, grants?: Grants): Promise<Operator> {
  const operator = { name: `Desk ${tag}`, account: `desk-${tag.toLowerCase()}@example.com`, password: `key-of-${tag}` };
  const role = grants ? "staff" : "administrator";
  const { operatorId } = await call<{ operatorId: number }>(owner, "mutation", "staff.save", {
    ...operator,
    ...grants,
    role,
  });
  await confirmInitialPassword(operatorId);
  return { operatorId, ...operator };
}

export interface Booking {
  roomId: number;
  guest: string;
  documentNumber?: string;
}

/** Creates a stay from this minute on for two hours, which cost one night at any time of day. */
export async function createStay(page: Page, kind: "checkIn" | "reserve", booking: Booking): Promise<number> {
  const now = Math.floor(Date.now() / 60_000) * 60_000;
  const { stayId } = await call<{ stayId: number }>(page, "mutation", `stays.${kind}`, {
    roomId: booking.roomId,
    unit: "day",
    startsAt: new Date(now).toISOString(),
    endsAt: new Date(now + 7_200_000).toISOString(),
    guests: [{ name: booking.guest, documentNumber: booking.documentNumber ?? "" }],
  });
  return stayId;
}

/**
 * Revokes the desk's cards from guests of earlier tests. Test files that use the desk run one after the other but share
 * the hotel, and writing over a guest's card asks for confirmation.
 */
export async function revokeGuestCards(page: Page, uids: readonly string[]): Promise<void> {
  for (const uid of uids) {
    const { rows } = await call<{ rows: { id: number; state: string }[] }>(page, "query", "cards.list", {
      query: uid,
      kind: "guest",
    });
    for (const { id } of rows.filter(({ state }) => state === "active" || state === "pending"))
      await call(page, "mutation", "cards.revoke", { cardId: id });
  }
}

/** Returns the card or row of a room on the board. */
export function roomLink(page: Page, t: Translate, room: string): Locator {
  const name = t("board.roomNamed", { name: room }).replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return page.getByRole("link", { name: new RegExp(`^${name}(,|$)`) });
}

/** Opens a room beside the board, and chooses an action there. */
export async function chooseRoomAction(page: Page, t: Translate, room: string, action: string): Promise<void> {
  await page.goto(`/room?q=${encodeURIComponent(room)}`);
  await roomLink(page, t, room).click();
  const drawer = page.getByRole("dialog", { name: t("board.roomNamed", { name: room }) });
  await drawer
    .getByRole("button", { name: t(`board.${action}`) })
    .first()
    .click();
}

/**
 * Keeps from a page what other desks change. Tests share one hotel, so at any moment another one's change would make
 * the page read again.
 */
export async function withholdChanges(page: Page): Promise<void> {
  await page.route("**/api/events", () => undefined);
}

/** Opens an address and waits until what other desks change arrives there. */
export async function openLive(page: Page, address: string): Promise<void> {
  const stream = page.waitForResponse(/\/api\/events$/);
  await page.goto(address);
  await stream;
}

/** Unfolds all groups of the menu. */
export async function unfoldMenu(menu: Locator): Promise<void> {
  const folded = menu.locator("button[aria-expanded=false]");
  await expect(menu.getByRole("link").first()).toBeVisible();
  for (let left = await folded.count(); left > 0; left -= 1) await folded.first().click();
}

/** What a change of the hotel has to contain */
const REQUIRED_OF_HOTEL = [
  ...["name", "latitude", "longitude", "timeZone", "currency", "checkInTime", "checkOutTime", "dayStartTime"],
  ...["weekendNights", "breakfastFrom", "breakfastTo", "breakfastPriceMinor"],
];

/** Changes settings of the hotel, and leaves those alone that other tests may change meanwhile. */
export async function changeHotel(page: Page, change: Record<string, unknown>): Promise<void> {
  const hotel = await call<Record<string, unknown>>(page, "query", "hotel.get", undefined);
  const required = Object.fromEntries(REQUIRED_OF_HOTEL.map((field) => [field, hotel[field]]));
  await call(page, "mutation", "hotel.update", { ...required, ...change });
}
