import type { LockDriver } from "@innkey/shared/enums";
import type pg from "pg";
import { announceUnlocks } from "../webhooks/announce-unlocks.ts";
import { type NumberedEvent, numberEvents } from "./event-numbers.ts";
import { type LockChange, lockChange } from "./lock-change.ts";
import { prove } from "./proofs.ts";
import type { ReportedEvent } from "./reported-event.ts";
import { CLAIM_OPENINGS, HOLD_LOCKS, KEEP, NOTE } from "./store-events.sql.ts";
import { proveWritten } from "./written-cards.ts";

/** A lock as it was before the batch; nobody else changes it until the transaction ends. */
export interface LockRowForEvents {
  id: number;
  hotelId: number;
  roomId: number | null;
  driver: LockDriver;
  power: number | null;
  /** the last number that is kept */
  eventSeq: number;
  /** the memory of events it named last, "" for none, and what is added to its numbers */
  eventLog: string;
  eventBase: number;
  /** by how much its clock is ahead, as it last showed it */
  driftSeconds: number | null;
  guestFloor: number;
  otpFloor: number;
  /** the next one-time counter to hand out */
  otpNext: number;
  /** the highest sequence of a card that was made for it: ever, and since its door's sequence was last started over */
  everIssued: number;
  issued: number;
  /** its breaker was open */
  stopped: boolean;
  /** other programs want to hear of its door */
  told: boolean;
}

/** An event that was not there before, and what it was found to be about. */
export interface StoredEvent extends ReportedEvent {
  /** what it is kept under, and what of that is not the lock's own number */
  number: number;
  base: number;
  cardId: number | null;
  credentialId: number | null;
}

/** What is received within this time of its happening was not kept back. */
const LATE_MS = 60_000;

/** Rooms and locks in one word to the desks: a notification holds 8000 bytes. */
const MAX_TOLD = 200;

/**
 * Keeps a batch inside the caller's transaction, with all that follows from it. Events that are there already change
 * nothing. Returns the ids of the locks that exist.
 */
export async function keepEvents(
  client: pg.ClientBase,
  reported: readonly ReportedEvent[],
  now: Date,
): Promise<ReadonlySet<number>> {
  const lockIds = [...new Set(reported.map(({ lockId }) => lockId))];
  const lockRows = await client.query<LockRowForEvents>({ name: "unlocks-hold", text: HOLD_LOCKS, values: [lockIds] });
  const locks = new Map(lockRows.rows.map((lock) => [lock.id, lock]));
  if (locks.size === 0) return new Set();
  const { numbered, untrusted } = await numberEvents(client, reported, locks, now);
  const stored = await insert(client, await checkCommands(client, numbered, now), now);
  const changes = lockRows.rows.map((lock) => lockChange(lock, stored.get(lock.id) ?? [], untrusted.has(lock.id)));
  const news = [...stored.values()].flat();
  const unconfirmed = await note(client, changes, news, now);
  await prove(client, changes, now);
  await proveWritten(
    client,
    news.filter(({ cardId }) => cardId !== null && unconfirmed.has(cardId)),
    now,
  );
  const told = changes.flatMap(({ lock }) => (lock.told ? (stored.get(lock.id) ?? []) : []));
  await announceUnlocks(client, told, now);
  return new Set(locks.keys());
}

/** Events that name a command which did not open their door then are nobody's: it is not known how it was opened. */
async function checkCommands(
  client: pg.ClientBase,
  numbered: readonly NumberedEvent[],
  now: Date,
): Promise<readonly NumberedEvent[]> {
  const named = numbered.filter(({ event }) => event.commandId !== null);
  if (named.length === 0) return numbered;
  const { rows } = await client.query<{ lockId: number; number: number; commandId: string }>(CLAIM_OPENINGS, [
    named.map(({ lock }) => lock.id),
    named.map(({ number }) => number),
    named.map(({ event }) => event.commandId),
    named.map(({ event }) => event.at.toISOString()),
    now.toISOString(),
  ]);
  const claimed = new Map(rows.map(({ lockId, number, commandId }) => [`${lockId}/${number}`, commandId]));
  return numbered.map((entry): NumberedEvent => {
    const { event, lock, number } = entry;
    if (event.commandId === null || claimed.get(`${lock.id}/${number}`) === event.commandId.toLowerCase()) return entry;
    return { ...entry, event: { ...event, commandId: null, style: "unknown" } };
  });
}

async function insert(
  client: pg.ClientBase,
  known: readonly NumberedEvent[],
  now: Date,
): Promise<Map<number, StoredEvent[]>> {
  const column = <T>(of: (entry: NumberedEvent) => T): T[] => known.map(of);
  const { rows } = await client.query<{
    lockId: number;
    number: number;
    cardId: number;
    credentialId: number;
  }>({
    name: "unlocks-keep",
    text: KEEP,
    values: [
      column(({ lock }) => lock.id),
      column(({ lock }) => lock.hotelId),
      column(({ lock }) => lock.roomId),
      column(({ number }) => number),
      column(({ event }) => event.at.toISOString()),
      column(({ event }) => event.style),
      column(({ event }) => event.success),
      column(({ event }) => event.reason),
      column(({ event, lock }) => sourceOf(event, lock)),
      column(({ event }) => event.uid),
      column(({ event }) => event.slot),
      column(({ event }) => event.counter),
      column(({ event }) => event.commandId),
      now.toISOString(),
      column(({ event, lock }) => lateAt(event, lock, now)?.toISOString() ?? null),
    ],
  });
  const added = new Map(rows.map((row) => [`${row.lockId}/${row.number}`, row]));
  const byLock = new Map<number, StoredEvent[]>();
  for (const { event, base, number } of known) {
    const key = `${event.lockId}/${number}`;
    const row = added.get(key);
    // A number that a batch says twice was kept once.
    if (!row || !added.delete(key)) continue;
    const ofLock = byLock.get(event.lockId) ?? [];
    ofLock.push({ ...event, base, number, cardId: row.cardId, credentialId: row.credentialId });
    byLock.set(event.lockId, ofLock);
  }
  return byLock;
}

/** When it happened by our clock, if it comes late and its lock's clock is known (docs/locks.md, Why a key doesn't work). */
function lateAt({ lockTime }: ReportedEvent, { driftSeconds }: LockRowForEvents, now: Date): Date | null {
  if (driftSeconds === null) return null;
  const happened = lockTime.getTime() - driftSeconds * 1000;
  return happened < now.getTime() - LATE_MS ? new Date(happened) : null;
}

/**
 * Writes what every batch changes, and tells the desks: locks were seen, cards and credentials were used. Returns the cards
 * among them whose writing was never confirmed.
 */
async function note(
  client: pg.ClientBase,
  changes: readonly LockChange[],
  stored: readonly StoredEvent[],
  now: Date,
): Promise<ReadonlySet<number>> {
  const cards = lastUse(stored, ({ cardId }) => cardId);
  const credentials = lastUse(stored, ({ credentialId }) => credentialId);
  const { rows } = await client.query<{ cardId: number | null }>({
    name: "unlocks-note",
    text: NOTE,
    values: [
      now.toISOString(),
      changes.map(({ lock }) => lock.id),
      changes.map(({ eventSeq }) => eventSeq),
      changes.map(({ power }) => power),
      changes.map(({ guestFloor }) => guestFloor),
      changes.map(({ otpFloor }) => otpFloor),
      cards.map(([id]) => id),
      cards.map(([, at]) => at.toISOString()),
      credentials.map(([id]) => id),
      credentials.map(([, at]) => at.toISOString()),
      unlockNotices(changes.filter(({ kept: count }) => count > 0)),
    ],
  });
  return new Set(rows.flatMap(({ cardId }) => (cardId === null ? [] : [cardId])));
}

/** When each thing last opened a door, in the order of ids, so that two batches never wait for each other in a circle. */
function lastUse(stored: readonly StoredEvent[], idOf: (event: StoredEvent) => number | null): [number, Date][] {
  const last = new Map<number, Date>();
  for (const event of stored) {
    const id = idOf(event);
    if (id === null || !event.success) continue;
    const before = last.get(id);
    if (!before || before < event.at) last.set(id, event.at);
  }
  return [...last].sort(([a], [b]) => a - b);
}

function unlockNotices(changes: readonly LockChange[]): string[] {
  const hotelIds = new Set(changes.map(({ lock }) => lock.hotelId));
  return [...hotelIds].flatMap((hotelId) => {
    const ofHotel = changes.flatMap(({ lock }) => (lock.hotelId === hotelId ? [lock] : []));
    const notices: string[] = [];
    for (let start = 0; start < ofHotel.length; start += MAX_TOLD) {
      const locks = ofHotel.slice(start, start + MAX_TOLD);
      const roomIds = locks.flatMap(({ roomId }) => (roomId === null ? [] : [roomId]));
      notices.push(JSON.stringify({ topic: "unlocks", hotelId, roomIds, lockIds: locks.map(({ id }) => id) }));
    }
    return notices;
  });
}

function sourceOf(event: ReportedEvent, lock: LockRowForEvents): string {
  if (event.commandId !== null) return "console";
  return lock.driver === "mqtt" ? "lock" : "gateway";
}
