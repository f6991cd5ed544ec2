import type { AlertKind, CardKind, CredentialKind, LockDriver, UnlockStyle } from "@innkey/shared/enums";
import { LOW_POWER_PERCENT, RESTORED_POWER_PERCENT } from "@innkey/shared/locks/lock-status";
import type { LockEvent } from "@innkey/shared/locks/protocol";
import type pg from "pg";
import { announceIssued, raiseAll, resolveAlertsOfLocks, resolveAlertsOfRooms } from "../../messaging/public.ts";
import { raiseBoardVersions } from "../../property/public.ts";
import { isCounterPossible } from "../credentials/min-sequences.ts";
import { withdrawal } from "../lock-commands/commands.ts";
import { isSameItem, type UnmanagedItem, unmanagedOf, unmanagedParams } from "../lock-commands/compare-inventory.ts";

/** An event in the form in which it is stored. All of its values are valid for PostgreSQL. */
export interface ReportedEvent {
  lockId: number;
  /** the lock's log that the event comes from; null: its current log */
  log: string | null;
  /** the event's number in that log */
  seq: number;
  at: Date;
  /** the lock's own clock, even if it is wrong */
  lockTime: Date;
  style: UnlockStyle;
  success: boolean;
  reason: string;
  uid: string | null;
  /** the kind of card that the lock says it was */
  cardKind: CardKind | null;
  slot: number | null;
  counter: number | null;
  commandId: string | null;
  /** the sequence of the card record that opened the door */
  cardSequence: number | null;
  alarm: LockEvent["alarm"] | null;
  power: number | null;
  /** see ReceivedEvent */
  foreignKey: string | null;
}

/** A lock as it was before the batch. Its row stays locked until the transaction ends. */
export interface LockRowForEvents {
  id: number;
  hotelId: number;
  roomId: number | null;
  /** the common door that it is on */
  doorId: number | null;
  driver: LockDriver;
  power: number | null;
  /** the highest stored event number */
  eventSeq: number;
  /** the log that the lock named last ("" for none), and the base added to its numbers */
  eventLog: string;
  eventBase: number;
  /** seconds by which its clock was ahead when last checked */
  driftSeconds: number | null;
  guestFloor: number;
  otpFloor: number;
  /** the next one-time counter to issue */
  otpNext: number;
  /** the highest sequence of any card made for this lock: ever, and since its door's sequence was last reset */
  everIssued: number;
  issued: number;
  /** whether its breaker was open */
  isBreakerOpen: boolean;
  /** whether a webhook of the hotel subscribes to unlock events */
  hasSubscriber: boolean;
}

/** A newly stored event with what it refers to. */
export interface StoredEvent extends ReportedEvent {
  /** the number under which it is stored, and the base included in it */
  number: number;
  base: number;
  cardId: number | null;
  credentialId: number | null;
}

/** The changes that a batch of events causes for one lock. */
export interface LockChange {
  lock: LockRowForEvents;
  /** number of new events */
  storedCount: number;
  eventSeq: number;
  /** battery level in percent */
  power: number | null;
  guestFloor: number;
  otpFloor: number;
  /** counters of one-time codes that opened the door, with their credentials */
  usedCodes: { counter: number; credentialId: number | null; at: Date }[];
  alerts: { kind: AlertKind; count: number; params: Record<string, number> }[];
  batteryRecovered: boolean;
  /** whether a block-out card keeps guests out since the batch, from when, and when it was last held there to begin it; null: the batch says nothing of it */
  blockOut: { isOn: boolean; at: Date; begunAt: Date | null } | null;
  /** keys that opened the door but were not issued by this console, each once */
  unknownKeys: UnmanagedItem[];
}

/**
 * Derives the changes of a lock from its new events, in the order in which it reported them. A lock's report is only a
 * claim: no limit rises above what the console issued for the lock, and a higher claim counts as tampering. So does
 * naming too many new logs (`isUntrusted`).
 */
export function lockChange(lock: LockRowForEvents, stored: readonly StoredEvent[], isUntrusted = false): LockChange {
  const newEvents = stored.filter(({ number }) => number > lock.eventSeq);
  const eventSeq = newEvents.reduce((last, { number }) => Math.max(last, number), lock.eventSeq);
  const power = newEvents.findLast((event) => event.power !== null)?.power ?? lock.power;
  const usedCodes = stored.flatMap(({ success, counter, credentialId, at }) =>
    success && counter !== null && isCounterPossible(lock, counter) ? [{ counter, credentialId, at }] : [],
  );
  return {
    lock,
    storedCount: stored.length,
    eventSeq,
    power,
    guestFloor: highestSequence(lock, stored),
    otpFloor: usedCodes.reduce((floor, { counter }) => Math.max(floor, counter + 1), lock.otpFloor),
    usedCodes,
    alerts: alertsOf(lock, stored, lostAmong(lock, newEvents), power, isUntrusted),
    blockOut: blockOutOf(lock, newEvents),
    unknownKeys: unknownAmong(stored.filter((event) => !isImpossible(lock, event))),
    batteryRecovered: power !== lock.power && power !== null && power > RESTORED_POWER_PERCENT,
  };
}

/**
 * Reads from the last event about it whether guests are kept out: a refusal for that reason proves it. A lock that lost its
 * memory no longer does.
 */
function blockOutOf(lock: LockRowForEvents, newEvents: readonly StoredEvent[]): LockChange["blockOut"] {
  const inOrder = newEvents.toSorted((a, b) => a.number - b.number);
  const last = inOrder.findLast(({ reason }) => BLOCK_OUT_REASONS.has(reason));
  const begun = inOrder.findLast(({ reason }) => reason === "block_out_set");
  if (last) return { isOn: last.reason !== "block_out_lifted", at: last.at, begunAt: begun?.at ?? null };
  // The numbers of a new log begin above all that were stored.
  const [first] = inOrder.filter(({ base }) => base > lock.eventSeq);
  return first ? { isOn: false, at: first.at, begunAt: null } : null;
}

const BLOCK_OUT_REASONS: ReadonlySet<string> = new Set(["block_out_set", "blocked_out", "block_out_lifted"]);

const KINDS: Partial<Record<UnlockStyle, CredentialKind>> = { card: "card", passcode: "passcode", face: "face" };

function unknownAmong(stored: readonly StoredEvent[]): UnmanagedItem[] {
  const unknownKeys: UnmanagedItem[] = [];
  for (const { success, style, slot, uid, foreignKey, cardId, credentialId, at } of stored) {
    if (!success || cardId !== null || credentialId !== null || (slot === null && !uid && !foreignKey)) continue;
    const kind = uid ? "card" : KINDS[style];
    if (!kind) continue;
    const item = { slot, kind, name: uid ?? foreignKey ?? "" };
    if (unknownKeys.some((other) => isSameItem(other, item))) continue;
    unknownKeys.push({ ...item, validFrom: null, validTo: null, adopted: false, heardAt: at.toISOString() });
  }
  return unknownKeys;
}

function highestSequence({ guestFloor, issued }: LockRowForEvents, stored: readonly StoredEvent[]): number {
  const sequences = stored.flatMap(({ cardSequence }) =>
    cardSequence !== null && cardSequence <= issued ? [cardSequence] : [],
  );
  return Math.max(guestFloor, ...sequences);
}

/**
 * Checks whether the sequence or counter is higher than any the console has issued for this lock, so that the card or
 * code must be forged.
 */
const isImpossible = (lock: LockRowForEvents, { success, cardSequence, counter }: StoredEvent): boolean =>
  (cardSequence !== null && cardSequence > lock.everIssued) ||
  (success && counter !== null && !isCounterPossible(lock, counter));

/**
 * Counts the events missing before or between the new ones. The first event of a log may have any number, and only
 * locks of our own protocol number their events without gaps.
 */
function lostAmong(lock: LockRowForEvents, newEvents: readonly StoredEvent[]): number {
  if (lock.driver !== "mqtt") return 0;
  let [last, lost] = [lock.eventSeq, 0];
  for (const { number, base } of newEvents.toSorted((a, b) => a.number - b.number)) {
    if (last > base) lost += number - last - 1;
    last = number;
  }
  return lost;
}

function alertsOf(
  lock: LockRowForEvents,
  stored: readonly StoredEvent[],
  lost: number,
  power: number | null,
  isUntrusted: boolean,
): LockChange["alerts"] {
  const alerts: LockChange["alerts"] = [];
  if (lost > 0) alerts.push({ kind: "records_lost", count: 1, params: { count: lost } });
  for (const kind of ["tamper", "wrong_codes"] as const) {
    const alarms = stored.filter(
      (event) => event.alarm === kind || (kind === "tamper" && isImpossible(lock, event)),
    ).length;
    const count = alarms + (kind === "tamper" && isUntrusted ? 1 : 0);
    if (count > 0) alerts.push({ kind, count, params: {} });
  }
  const low = power !== lock.power && power !== null && power < LOW_POWER_PERCENT;
  if (low || stored.some(({ alarm }) => alarm === "battery_low")) {
    alerts.push({ kind: "battery_low", count: 1, params: power === null ? {} : { power } });
  }
  return alerts;
}

/**
 * $1: cards, $2: locks that opened for them, $3: sequences of the records on them, $4: times. A record proves the
 * writing if no other record that may still be on the card opens that lock with the same sequence. An earlier issue
 * with the same period has the same record; one with another period may have been shown instead.
 */
const CONFIRM_WRITTEN = `
  UPDATE card c SET state = 'active', confirmed_at = s.at
  FROM unnest($1::int[], $2::int[], $3::int[], $4::timestamptz[]) AS s (card_id, lock_id, sequence, at)
  WHERE c.id = s.card_id AND c.state = 'pending' AND c.kind = 'guest' AND NOT c.over_the_air
    AND c.lock_number = s.lock_id AND c.sequence = s.sequence
    AND NOT EXISTS (SELECT FROM card e WHERE e.hotel_id = c.hotel_id AND e.uid = c.uid AND e.id < c.id AND e.kind = 'guest'
      AND NOT e.over_the_air AND e.lock_number = c.lock_number AND e.sequence = c.sequence
      AND (e.valid_from, e.valid_to) IS DISTINCT FROM (c.valid_from, c.valid_to)
      AND e.valid_from <= s.at AND (e.valid_to IS NULL OR e.valid_to > s.at))
  RETURNING c.id, c.hotel_id AS "hotelId"`;

/**
 * $1: cards whose new record a lock has seen. Earlier issues for the same lock were overwritten; other locks are not
 * affected. An earlier issue with zones stays revoking until the locks of its zones refuse it, because the program that
 * wrote the room's record may have left those of the zones on the card.
 */
const REVOKE_OVERWRITTEN = `
  UPDATE card o SET state = 'revoked' FROM card n
  WHERE n.id = ANY ($1::int[]) AND o.hotel_id = n.hotel_id AND o.uid = n.uid AND o.id <> n.id
    AND o.state = 'revoking' AND NOT o.over_the_air AND o.lock_number = n.lock_number AND o.zones = '{}'`;

/**
 * Marks pending guest cards as written if they opened a door with the record made for them. External programs that
 * write cards never confirm the writing themselves.
 */
export async function confirmWrittenCards(
  client: pg.ClientBase,
  events: readonly StoredEvent[],
  now: Date,
): Promise<void> {
  const presented = events.flatMap(({ cardId, lockId, success, cardSequence, at }) =>
    success && cardId !== null && cardSequence !== null ? [{ cardId, lockId, at, cardSequence }] : [],
  );
  if (presented.length === 0) return;
  const { rows } = await client.query<{ id: number; hotelId: number }>(CONFIRM_WRITTEN, [
    presented.map(({ cardId }) => cardId),
    presented.map(({ lockId }) => lockId),
    presented.map(({ cardSequence }) => cardSequence),
    presented.map(({ at }) => at.toISOString()),
  ]);
  if (rows.length === 0) return;
  await client.query(REVOKE_OVERWRITTEN, [rows.map(({ id }) => id)]);
  for (const hotelId of new Set(rows.map((row) => row.hotelId))) {
    const cardIds = rows.flatMap((row) => (row.hotelId === hotelId ? [row.id] : []));
    await announceIssued(client, hotelId, cardIds, now);
  }
}

/** Writes the rarer consequences of a batch. Each step queries the database only if something has to change. */
export async function applyRareConsequences(
  client: pg.ClientBase,
  changes: readonly LockChange[],
  now: Date,
): Promise<void> {
  await markCodesUsed(client, changes);
  await settleCards(client, changes, now);
  await closeBreakers(client, changes, now);
  await storeUnknownKeys(client, changes, now);
  await storeBlockOuts(client, changes, now);
  await raiseAll(
    client,
    changes.flatMap(({ lock, alerts }) => alerts.map((alert) => ({ ...alert, ...lockOf(lock) }))),
    now,
  );
  await resolveAlertsOfLocks(
    client,
    "battery_low",
    changes.flatMap(({ lock, batteryRecovered }) => (batteryRecovered ? [lockOf(lock)] : [])),
    now,
  );
  const rooms = changes.flatMap(({ lock: { hotelId, roomId, power: before }, power }) =>
    roomId !== null && power !== before ? [{ hotelId, roomId }] : [],
  );
  if (rooms.length > 0) await raiseBoardVersions(client, rooms);
}

/** Stores at which locks a block-out card keeps guests out. The rooms are marked, and staff are alerted while it lasts. */
async function storeBlockOuts(client: pg.ClientBase, changes: readonly LockChange[], now: Date): Promise<void> {
  const reported = changes.flatMap(({ lock, blockOut }) => (blockOut ? [{ lock, ...blockOut }] : []));
  if (reported.length === 0) return;
  await withdrawEarlierLifts(client, reported, now);
  const { rows: blocked } = await client.query<{ id: number }>(
    "SELECT id FROM lock WHERE id = ANY ($1::int[]) AND blocked_out_at IS NOT NULL",
    [reported.map(({ lock }) => lock.id)],
  );
  const blockedIds = new Set(blocked.map(({ id }) => id));
  const blockOuts = reported.filter(({ lock, isOn }) => isOn !== blockedIds.has(lock.id));
  if (blockOuts.length === 0) return;
  await client.query(
    `UPDATE lock l SET blocked_out_at = CASE WHEN x.is_on THEN coalesce(l.blocked_out_at, x.at) END
       FROM unnest($1::int[], $2::boolean[], $3::timestamptz[]) AS x (id, is_on, at) WHERE l.id = x.id`,
    [
      blockOuts.map(({ lock }) => lock.id),
      blockOuts.map(({ isOn }) => isOn),
      blockOuts.map(({ at }) => at.toISOString()),
    ],
  );
  const kind = "blocked_out" as const;
  const begun = blockOuts.filter(({ isOn }) => isOn);
  await raiseAll(
    client,
    begun.map(({ lock }) => ({ kind, count: 1, params: {}, ...lockOf(lock) })),
    now,
  );
  await resolveEndedBlockOuts(
    client,
    begun.map(({ lock }) => lock),
    now,
  );
  const ended = blockOuts.filter(({ isOn }) => !isOn).map(({ lock }) => lockOf(lock));
  await resolveAlertsOfLocks(client, kind, ended, now);
  const rooms = blockOuts.flatMap(({ lock: { hotelId, roomId } }) => (roomId === null ? [] : [{ hotelId, roomId }]));
  if (rooms.length > 0) await raiseBoardVersions(client, rooms);
}

/** Resolves the alerts that an earlier block-out of the doors ended with their former locks: the doors are blocked again. */
async function resolveEndedBlockOuts(
  client: pg.ClientBase,
  locks: readonly LockRowForEvents[],
  now: Date,
): Promise<void> {
  const kind = "block_out_ended" as const;
  const rooms = locks.flatMap(({ hotelId, roomId }) => (roomId === null ? [] : [{ hotelId, roomId }]));
  const others = locks.flatMap(({ id, hotelId, roomId }) => (roomId === null ? [{ hotelId, lockId: id }] : []));
  await resolveAlertsOfRooms(client, kind, rooms, now);
  await resolveAlertsOfLocks(client, kind, others, now);
}

/** Withdraws lifts that were asked for before the block that a lock reports: they were about an earlier one. */
async function withdrawEarlierLifts(
  client: pg.ClientBase,
  reported: readonly { lock: LockRowForEvents; begunAt: Date | null }[],
  now: Date,
): Promise<void> {
  const begun = reported.flatMap(({ lock, begunAt }) => (begunAt === null ? [] : [{ lock, begunAt }]));
  if (begun.length === 0) return;
  await client.query(
    `UPDATE lock_command k SET ${withdrawal("$3")}
       FROM unnest($1::int[], $2::timestamptz[]) AS x (id, at)
      WHERE k.lock_id = x.id AND k.type = 'lift_block' AND k.state IN ('queued', 'sent') AND k.created_at < x.at`,
    [begun.map(({ lock }) => lock.id), begun.map(({ begunAt }) => begunAt.toISOString()), now.toISOString()],
  );
}

/** A card whose openings raise an alert: an emergency or spare card. */
export interface AlertingCard {
  alert: "emergency_opened" | "spare_opened";
  /** what is written on the card or its envelope */
  name: string;
}

/**
 * Raises an alert for each door that emergency or spare cards opened. An emergency card is also known by what the lock says that
 * it was.
 */
export async function alertOfCards(
  client: pg.ClientBase,
  changes: readonly LockChange[],
  events: readonly StoredEvent[],
  alerting: ReadonlyMap<number, AlertingCard>,
  now: Date,
): Promise<void> {
  const openings = events.flatMap(({ lockId, success, cardId, cardKind, uid }) => {
    const issued = cardId === null ? undefined : alerting.get(cardId);
    const claimed = cardKind === "emergency" ? { alert: "emergency_opened" as const, name: uid ?? "" } : undefined;
    const card = issued ?? claimed;
    return success && card ? [{ lockId, ...card }] : [];
  });
  if (openings.length === 0) return;
  const alerts = changes.flatMap(({ lock }) =>
    (["emergency_opened", "spare_opened"] as const).flatMap((kind) => {
      const ofKind = openings.filter(({ lockId, alert }) => lockId === lock.id && alert === kind);
      const params = { card: ofKind.at(-1)?.name ?? "" };
      return ofKind.length === 0 ? [] : [{ kind, count: ofKind.length, params, ...lockOf(lock) }];
    }),
  );
  await raiseAll(client, alerts, now);
}

const lockOf = ({ id, hotelId, roomId }: LockChange["lock"]) => ({ lockId: id, hotelId, roomId });
const hotelsOf = (changes: readonly LockChange[]): number[] => [...new Set(changes.map(({ lock }) => lock.hotelId))];

/**
 * Marks a one-time code that opened a door as used up, and with it all earlier codes of this lock, because the counter
 * only rises (RFC 4226).
 */
async function markCodesUsed(client: pg.ClientBase, changes: readonly LockChange[]): Promise<void> {
  const usedCodes = changes.flatMap(({ lock, usedCodes: codes }) =>
    codes.map((code) => ({ lockId: lock.id, ...code })),
  );
  if (usedCodes.length === 0) return;
  await client.query(
    `UPDATE credential t SET state = 'revoked', revoked_at = coalesce(t.revoked_at, x.at),
       revoke_reason = CASE WHEN t.revoke_reason IS NULL AND p.otp_counter < x.counter THEN 'superseded'::revoke_reason ELSE t.revoke_reason END
     FROM passcode p, (
       SELECT lock_id, max(counter) AS counter, max(at) AS at
       FROM unnest($1::int[], $2::bigint[], $3::timestamptz[]) AS s (lock_id, counter, at) GROUP BY lock_id
     ) x
     WHERE t.lock_id = x.lock_id AND t.state <> 'revoked' AND p.id = t.passcode_id AND p.type = 'one_time'
       AND p.otp_counter <= x.counter`,
    [
      usedCodes.map(({ lockId }) => lockId),
      usedCodes.map(({ counter }) => counter),
      usedCodes.map(({ at }) => at.toISOString()),
    ],
  );
}

/**
 * A newer card raised the floor of a lock, so revoked cards below it may no longer open any door (the rule is view
 * card_risk).
 */
async function settleCards(client: pg.ClientBase, changes: readonly LockChange[], now: Date): Promise<void> {
  const raised = changes.filter(({ lock, guestFloor }) => guestFloor > lock.guestFloor);
  if (raised.length === 0) return;
  await client.query(
    `UPDATE card c SET state = 'revoked' WHERE c.hotel_id = ANY ($1::int[]) AND c.state = 'revoking'
       AND NOT EXISTS (SELECT FROM card_risk k WHERE k.hotel_id = c.hotel_id AND k.card_id = c.id
         AND (k.ends_at IS NULL OR k.ends_at > $2::timestamptz))`,
    [hotelsOf(raised), now.toISOString()],
  );
}

/**
 * Closes the breakers of locks that reported events: their waiting commands become due, and the workers are notified at
 * commit.
 */
async function closeBreakers(client: pg.ClientBase, changes: readonly LockChange[], now: Date): Promise<void> {
  const reachableAgain = changes.filter(({ lock }) => lock.isBreakerOpen);
  for (const hotelId of hotelsOf(reachableAgain)) {
    const lockIds = reachableAgain.filter(({ lock }) => lock.hotelId === hotelId).map(({ lock }) => lock.id);
    await client.query(
      "UPDATE lock_command SET next_try_at = $2::timestamptz WHERE lock_id = ANY ($1::int[]) AND state = 'queued' AND next_try_at > $2::timestamptz",
      [lockIds, now.toISOString()],
    );
    await client.query("SELECT pg_notify('innkey', $1)", [JSON.stringify({ topic: "locks", hotelId, lockIds })]);
  }
}

/** Maximum number of unknown keys stored per lock. Staff will check the lock long before it is reached. */
const MAX_UNKNOWN_KEYS = 20;

/**
 * Records keys that opened a door but were not issued by this console. They are shown with their lock, which is read
 * back soon (`enqueueUnknownKeyReadBacks`). Each raises one alert, until staff settle it or the lock's list shows it.
 */
async function storeUnknownKeys(client: pg.ClientBase, changes: readonly LockChange[], now: Date): Promise<void> {
  const changesWithUnknownKeys = changes.filter(({ unknownKeys }) => unknownKeys.length > 0);
  if (changesWithUnknownKeys.length === 0) return;
  const { rows } = await client.query<{ id: number; unmanaged: unknown }>(
    "SELECT id, unmanaged FROM lock WHERE id = ANY ($1::int[])",
    [changesWithUnknownKeys.map(({ lock }) => lock.id)],
  );
  const before = new Map(rows.map((row) => [row.id, unmanagedOf(row)]));
  const alerts: Parameters<typeof raiseAll>[1][number][] = [];
  for (const { lock, unknownKeys } of changesWithUnknownKeys) {
    const items = before.get(lock.id) ?? [];
    const newKeys = unknownKeys.filter((key) => !items.some((item) => isSameItem(item, key)));
    const freePlaces = MAX_UNKNOWN_KEYS - items.filter(({ heardAt, adopted }) => heardAt !== null && !adopted).length;
    const added = newKeys.slice(0, Math.max(0, freePlaces)).map((key) => ({ ...key, heardAt: now.toISOString() }));
    if (added.length === 0) continue;
    const all = [...items, ...added];
    await client.query("UPDATE lock SET unmanaged = $2::jsonb WHERE id = $1", [lock.id, JSON.stringify(all)]);
    const params = unmanagedParams(all.filter(({ adopted }) => !adopted));
    alerts.push({ kind: "unmanaged_code", count: 1, params, ...lockOf(lock) });
  }
  await raiseAll(client, alerts, now);
}
