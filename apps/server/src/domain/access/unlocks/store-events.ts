import type pg from "pg";
import { announceUnlocks } from "../../messaging/public.ts";
import { type LockChange, lockChange } from "./lock-change.ts";
import { prove } from "./proofs.ts";
import {
  CLOCKS_BEGIN,
  type LockRowForEvents,
  type NumberedEvent,
  numberEvents,
  type ReportedEvent,
  type StoredEvent,
} from "./reported-event.ts";

import { CLAIM_OPENINGS, HOLD_LOCKS, KEEP, NOTE } from "./store-events.sql.ts";
import { proveWritten } from "./written-cards.ts";

/** An event received within this time in milliseconds is not late. */
const LATE_MS = 60_000;

/** Largest number of rooms and locks in one notification, since its payload is limited to 8000 bytes. */
const MAX_ANNOUNCED = 200;

/**
 * Stores a batch and all its consequences inside the caller's transaction. Events that are already stored change
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
  const announced = changes.flatMap(({ lock }) => (lock.told ? (stored.get(lock.id) ?? []) : []));
  await announceUnlocks(client, announced, now);
  return new Set(locks.keys());
}

/**
 * Removes the command from events that name one which did not open their door at that time. How the door was opened is
 * then unknown.
 */
async function checkCommands(
  client: pg.ClientBase,
  numbered: readonly NumberedEvent[],
  now: Date,
): Promise<readonly NumberedEvent[]> {
  const commandEvents = numbered.filter(({ event }) => event.commandId !== null);
  if (commandEvents.length === 0) return numbered;
  const { rows } = await client.query<{ lockId: number; number: number; commandId: string }>(CLAIM_OPENINGS, [
    commandEvents.map(({ lock }) => lock.id),
    commandEvents.map(({ number }) => number),
    commandEvents.map(({ event }) => event.commandId),
    commandEvents.map(({ event }) => event.at.toISOString()),
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
  locks: readonly NumberedEvent[],
  now: Date,
): Promise<Map<number, StoredEvent[]>> {
  const column = <T>(of: (entry: NumberedEvent) => T): T[] => locks.map(of);
  const { rows } = await client.query<{
    lockId: number;
    number: number;
    cardId: number | null;
    credentialId: number | null;
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
  for (const { event, base, number } of locks) {
    const key = `${event.lockId}/${number}`;
    const row = added.get(key);
    // A number that occurs twice in a batch was stored once.
    if (!row || !added.delete(key)) continue;
    const lockEvents = byLock.get(event.lockId) ?? [];
    lockEvents.push({ ...event, base, number, cardId: row.cardId, credentialId: row.credentialId });
    byLock.set(event.lockId, lockEvents);
  }
  return byLock;
}

/**
 * Returns when a late event happened by our clock, or null if it isn't late, or the lock's clock is unknown or shows
 * what can't be (docs/integrators/locks.md, Why a key doesn't work).
 */
function lateAt({ lockTime }: ReportedEvent, { driftSeconds }: LockRowForEvents, now: Date): Date | null {
  if (driftSeconds === null) return null;
  const happened = lockTime.getTime() - driftSeconds * 1000;
  // Besides telling nothing, a time thousands of years ago is one that PostgreSQL doesn't take.
  return happened >= CLOCKS_BEGIN && happened < now.getTime() - LATE_MS ? new Date(happened) : null;
}

/**
 * Writes what every batch changes, such as last use of cards and credentials, and notifies open screens. Returns the
 * used cards whose writing was never confirmed.
 */
async function note(
  client: pg.ClientBase,
  changes: readonly LockChange[],
  stored: readonly StoredEvent[],
  now: Date,
): Promise<ReadonlySet<number>> {
  const cards = lastUse(stored, ({ cardId }) => cardId);
  const credentials = lastUse(stored, ({ credentialId }) => credentialId);
  const { rows } = await client.query<{ cardId: number | null; notified: string | null }>({
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

/** Returns when each card or credential last opened a door, ordered by id so that two batches can't deadlock. */
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
    const hotelLocks = changes.flatMap(({ lock }) => (lock.hotelId === hotelId ? [lock] : []));
    const notices: string[] = [];
    for (let start = 0; start < hotelLocks.length; start += MAX_ANNOUNCED) {
      const locks = hotelLocks.slice(start, start + MAX_ANNOUNCED);
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
