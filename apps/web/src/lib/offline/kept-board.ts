import type { RoomStatus } from "@innkey/shared/enums";
import { BOARD_CACHE, FILE_CACHE, KEPT_BOARD_URL } from "./cache-names.ts";

/** The board as it is kept in the browser, with no more of a guest than the surname. Times are ISO instants. */
export interface KeptBoard {
  hotelName: string;
  timeZone: string;
  readAt: string;
  sections: { name: string | null; rooms: KeptRoom[] }[];
}

export interface KeptRoom {
  name: string;
  status: RoomStatus;
  surname: string | null;
  until: string | null;
  /** the guests' cards; absent if an earlier build kept the board */
  cards?: KeptCard[];
}

export interface KeptCard {
  /** the last four characters of its number, which is all that is kept of it */
  number: string;
  validTo: string | null;
}

/** A night and a morning; after that the board says too little about the rooms to be worth its names. */
const KEPT_MS = 12 * 3_600_000;

/** Tells the other tabs that the session has ended, so that none of them keeps the board once more. */
const channel = "BroadcastChannel" in globalThis ? new BroadcastChannel("kept-board") : null;
let hasEnded = false;
/** Grows each time that everything is forgotten, so that a board that is being kept at that moment is forgotten, too. */
let forgetCount = 0;
channel?.addEventListener("message", () => {
  hasEnded = true;
  forgetCount += 1;
});

/** Browsers offer caches and service workers only over https and on the same machine. */
const canKeep = (): boolean => globalThis.isSecureContext === true && "caches" in globalThis;

export const mayKeepBoard = (): boolean => canKeep() && !hasEnded && "serviceWorker" in navigator;

/** Keeps the files with `keepFiles`, and then the board. */
export async function keepBoard(board: KeptBoard, keepFiles: () => Promise<void>): Promise<void> {
  const countBefore = forgetCount;
  await keepFiles();
  const cache = await caches.open(BOARD_CACHE);
  await cache.put(KEPT_BOARD_URL, Response.json(board));
  if (forgetCount !== countBefore) await removeCaches();
}

/** Returns the board that was kept last; null if there is none or it is too old, which also removes it. */
export async function readKeptBoard(now = Date.now()): Promise<KeptBoard | null> {
  if (!canKeep()) return null;
  const answer = await caches.match(KEPT_BOARD_URL, { cacheName: BOARD_CACHE });
  const board = (await answer?.json().catch(() => null)) as KeptBoard | null | undefined;
  if (!board) return null;
  const age = now - Date.parse(board.readAt);
  if (age >= 0 && age < KEPT_MS) return board;
  await removeCaches();
  return null;
}

/** Removes everything that is kept, in all tabs. It never fails, because signing out may not fail. */
export async function forgetKeptBoard(): Promise<void> {
  forgetCount += 1;
  channel?.postMessage("ended");
  if (canKeep()) await removeCaches();
}

const removeCaches = (): Promise<unknown> =>
  Promise.all([BOARD_CACHE, FILE_CACHE].map((name) => caches.delete(name))).catch(() => undefined);
