import { MINUTE_MS } from "@innkey/shared/durations";
import type { Board, BoardRoom } from "@innkey/shared/schemas/property/rooms";
import type { CardEnding } from "@innkey/shared/schemas/rosters";
import { collator } from "@/entities/room/board-query.ts";
import { surnameOf } from "@/entities/room/surname.ts";
import { api } from "@/lib/api.ts";
import { FILE_CACHE, KEPT_PAGE_URL } from "@/lib/offline/cache-names.ts";
import { type KeptBoard, type KeptRoom, keepBoard, mayKeepBoard } from "@/lib/offline/kept-board.ts";
import type { Me } from "@/lib/session.ts";
import type { HotelClock } from "@/lib/time/timers.ts";
import { viewBoard } from "./board-view.ts";

/** Keeps the board, and what the console needs to show it, for when the server is away. */
export async function saveBoardOffline(
  board: Board,
  hotel: Me["hotel"],
  clock: HotelClock,
  seesCards: boolean,
): Promise<void> {
  if (!mayKeepBoard()) return;
  await Promise.all([
    navigator.serviceWorker.register("/sw.js"),
    // What shows the kept board is not part of the page, so it is loaded once to be among its files.
    import("./kept-board-page.tsx"),
  ]);
  const endings = seesCards ? await readCardEndings(hotel.id) : [];
  await keepBoard(projectBoard(board, hotel, clock, endings), keepFiles);
}

/** Cards change less often than the board. */
const ENDINGS_AGE_MS = 10 * MINUTE_MS;
let lastEndings: { hotelId: number; at: number; endings: CardEnding[] } | null = null;

async function readCardEndings(hotelId: number): Promise<CardEnding[]> {
  if (lastEndings?.hotelId === hotelId && performance.now() - lastEndings.at < ENDINGS_AGE_MS)
    return lastEndings.endings;
  const endings = await api.rosters.cardEndings.query();
  lastEndings = { hotelId, at: performance.now(), endings };
  return endings;
}

/** Returns what may be kept of the board. */
export function projectBoard(
  board: Board,
  hotel: Pick<Me["hotel"], "name" | "timeZone">,
  clock: HotelClock,
  endings: readonly CardEnding[],
): KeptBoard {
  const { sections } = viewBoard(board, {}, clock, collator);
  return {
    hotelName: hotel.name,
    timeZone: hotel.timeZone,
    readAt: new Date(clock.now).toISOString(),
    sections: sections.map(({ name, rooms }) => ({ name, rooms: rooms.map((room) => projectRoom(room, endings)) })),
  };
}

function projectRoom({ name, status, current, maintenance }: BoardRoom, endings: readonly CardEnding[]): KeptRoom {
  const until = current?.endsAt ?? (status === "maintenance" ? (maintenance?.endsAt ?? null) : null);
  const cards = endings.filter(({ roomName }) => roomName === name).map(({ number, validTo }) => ({ number, validTo }));
  return { name, status, surname: current && surnameOf(current.guestName), until, cards };
}

let keptFiles = "";

/** Keeps the page and every file that it has loaded so far, and removes those of an earlier build. */
async function keepFiles(): Promise<void> {
  const loaded = performance.getEntriesByType("resource").map(({ name }) => new URL(name));
  const files = loaded.filter(({ origin, pathname }) => origin === location.origin && pathname.startsWith("/assets/"));
  const paths = [...new Set(files.map(({ pathname }) => pathname))].sort();
  const cache = await caches.open(FILE_CACHE);
  // Another session may have removed them since.
  if (paths.join() === keptFiles && (await cache.match(KEPT_PAGE_URL))) return;
  const before = await cache.keys();
  const missing = paths.filter((path) => !before.some(({ url }) => new URL(url).pathname === path));
  await Promise.all([cache.add(KEPT_PAGE_URL), cache.addAll(missing)]);
  const neededPaths = new Set([KEPT_PAGE_URL, ...paths]);
  await Promise.all(
    before.filter(({ url }) => !neededPaths.has(new URL(url).pathname)).map((old) => cache.delete(old)),
  );
  keptFiles = paths.join();
}
