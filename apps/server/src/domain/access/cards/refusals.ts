import type { Card, Lock, Prisma } from "../../../adapters/postgres/generated/client.ts";
import type { Scope } from "../../../kernel/scope.ts";
import type { Transaction } from "../../../kernel/transaction.ts";
import { raiseMinSequence, settleCards } from "../credentials/min-sequences.ts";
import { enqueue } from "../lock-commands/commands.ts";
import { locksOfZones } from "../zones/lock-zones.ts";
import { createdSince } from "./card-sequence.ts";
import { revokeCards } from "./revoke-cards.ts";

/**
 * A revoked guest card that was written for a lock. The lock refuses it by its sequence if no live card of the lock has
 * the same or a lower sequence, and otherwise by its number, so that its duplicates keep working. Staff cards and master
 * key cards need neither, because locks remove them from their lists.
 */
type RefusedCard = Pick<Card, "id" | "uid">;

const cardSubject = (uid: string): string => `card:${uid}`;

/** Makes the locks of the selected cards refuse all their revoked guests' cards. */
export async function blockRevokedCards(scope: Scope, tx: Transaction, where: Prisma.CardWhereInput): Promise<void> {
  const locks = await tx.db.card.findMany({
    where: { AND: [where, { kind: "guest", state: "revoking", lockNumber: { not: null } }] },
    distinct: ["lockNumber"],
    orderBy: { lockNumber: "asc" },
    select: { lockNumber: true },
  });
  for (const { lockNumber } of locks) if (lockNumber !== null) await refuseRevokedCards(scope, tx, lockNumber);
  await blockZoneRecords(scope, tx, where);
}

/**
 * Makes the locks of zones refuse the numbers of the selected cards that carry a record of the zone and were revoked, or
 * whose stay no longer has the zone. Zone records have no sequence, so the number is all that a lock can refuse.
 */
export async function blockZoneRecords(scope: Scope, tx: Transaction, where: Prisma.CardWhereInput): Promise<void> {
  const cards = await tx.db.card.findMany({
    where: {
      AND: [
        where,
        { kind: "guest", overTheAir: false, OR: [{ validTo: null }, { validTo: { gt: scope.now() } }] },
        {
          OR: [
            { state: "revoking", zones: { isEmpty: false } },
            { state: { in: ["pending", "active"] }, revokedZones: { isEmpty: false } },
          ],
        },
      ],
    },
    orderBy: { id: "asc" },
  });
  if (cards.length === 0) return;
  const risks = await tx.sql.rows<{ cardId: number; lockId: number }>(
    `SELECT DISTINCT k.card_id AS "cardId", k.lock_id AS "lockId" FROM card_risk k
       JOIN lock l ON l.id = k.lock_id AND l.deleted_at IS NULL AND l.driver = 'mqtt'
       JOIN lock_zone x ON x.lock_id = l.id
      WHERE k.hotel_id = $1 AND k.card_id = ANY ($2::int[]) ORDER BY "lockId", "cardId"`,
    cards.map(({ id }) => id),
  );
  for (const { cardId, lockId } of risks) {
    const card = cards.find(({ id }) => id === cardId);
    if (card) await ensureBlocked(scope, tx, lockId, card);
  }
}

/**
 * Handles a written card whose zones and those of its stay changed: locks refuse its number where it carries only records
 * of zones that the stay lost, and accept it again where the stay got a zone back.
 */
export async function refuseLostZones(scope: Scope, tx: Transaction, card: Card): Promise<void> {
  await blockZoneRecords(scope, tx, { id: card.id });
  const zoneIds = card.zones.filter((zone) => !card.revokedZones.includes(zone));
  for (const lockId of await locksOfZones(tx, zoneIds)) await allowRewrittenCard(scope, tx, card, lockId);
}

async function refuseRevokedCards(scope: Scope, tx: Transaction, lockId: number): Promise<void> {
  const lock = await tx.db.lock.findFirst({
    where: { id: lockId, deletedAt: null, driver: "mqtt" },
    select: { guestFloor: true },
  });
  if (!lock) return;
  const written = { kind: "guest", overTheAir: false, lockNumber: lockId } as const;
  const { _min } = await tx.db.card.aggregate({
    where: { ...written, state: { in: ["pending", "active"] } },
    _min: { sequence: true },
  });
  const revoked = await tx.db.card.findMany({
    where: {
      ...written,
      state: "revoking",
      sequence: { gte: lock.guestFloor },
      OR: [{ validTo: null }, { validTo: { gt: scope.now() } }],
    },
    orderBy: { sequence: "asc" },
  });
  const lowestLive = _min.sequence ?? Number.POSITIVE_INFINITY;
  const highestBelow = revoked.filter(({ sequence }) => sequence < lowestLive).at(-1);
  if (highestBelow) await raiseMinSequence(scope, tx, lockId, Math.min(highestBelow.sequence + 1, lowestLive));
  for (const card of revoked) if (card.sequence >= lowestLive) await ensureBlocked(scope, tx, lockId, card);
}

/**
 * Blocks cards on locks that are being configured again, before they receive keys: revoked guests' cards whose sequence is not
 * below the guest floor. Includes cards refused before, because the lock may have been reset.
 */
export async function blockRevokedOnLocks(
  scope: Scope,
  tx: Transaction,
  locks: readonly { id: number; guestFloor: number }[],
): Promise<void> {
  const lockIds = locks.map(({ id }) => id);
  const cards = await tx.sql.rows<RefusedCard & { lockId: number }>(
    `SELECT DISTINCT ON (l.id, c.uid) c.id, c.uid, l.id AS "lockId" FROM card c
       JOIN unnest($3::int[], $4::int[]) AS l (id, guest_floor) ON l.id = c.lock_number
      WHERE c.hotel_id = $1 AND c.state IN ('revoking', 'revoked') AND NOT c.over_the_air AND c.sequence >= l.guest_floor
        AND (c.valid_to IS NULL OR c.valid_to > $2::timestamptz)
      ORDER BY l.id, c.uid, c.id DESC`,
    scope.now().toISOString(),
    lockIds,
    locks.map(({ guestFloor }) => guestFloor),
  );
  const zoneCards = await tx.sql.rows<RefusedCard & { lockId: number }>(
    `SELECT DISTINCT ON (x.lock_id, c.uid) c.id, c.uid, x.lock_id AS "lockId"
       FROM lock_zone x JOIN card c ON c.hotel_id = x.hotel_id
        AND x.zone_id = ANY (CASE WHEN c.state IN ('pending', 'active') THEN c.revoked_zones ELSE c.zones END)
      WHERE x.hotel_id = $1 AND x.lock_id = ANY ($3::int[]) AND c.kind = 'guest' AND NOT c.over_the_air
        AND (c.valid_to IS NULL OR c.valid_to > $2::timestamptz)
      ORDER BY x.lock_id, c.uid, c.id DESC`,
    scope.now().toISOString(),
    lockIds,
  );
  cards.push(...zoneCards);
  for (const { lockId, ...card } of cards) await enqueueRefusal(scope, tx, lockId, card);
}

/**
 * Sends the refusal unless one is already open or confirmed. It is sent again if that one failed, expires too early, or
 * was followed by an allowance for another issue of the card.
 */
async function ensureBlocked(
  scope: Scope,
  tx: Transaction,
  lockId: number,
  card: RefusedCard & Pick<Card, "validTo">,
): Promise<void> {
  const commands = await tx.sql.rows(
    `SELECT k.id FROM lock_command k WHERE k.hotel_id = $1 AND k.lock_id = $2 AND k.subject = $3
        AND k.state IN ('queued', 'sent', 'acknowledged')
        AND (k.type = 'block_card' OR (k.type = 'allow_card' AND k.card_id <> $4::int))
        AND (k.expires_at IS NULL OR k.expires_at >= $5::timestamptz)
        AND NOT EXISTS (SELECT FROM lock_command a WHERE a.lock_id = k.lock_id AND a.subject = k.subject
             AND a.type = 'allow_card' AND a.card_id = $4::int AND a.seq > k.seq AND a.state <> 'superseded')
      LIMIT 1`,
    lockId,
    cardSubject(card.uid),
    card.id,
    card.validTo?.toISOString() ?? null,
  );
  if (commands.length === 0) await enqueueRefusal(scope, tx, lockId, card);
}

/**
 * Instructs a lock to refuse a card's number until the last record that may be on such a card expires, except for the
 * number's current record if that is valid there. The command states everything that must apply at that door, so it may
 * replace an earlier unsent one.
 */
async function enqueueRefusal(scope: Scope, tx: Transaction, lockId: number, { id, uid }: RefusedCard): Promise<void> {
  const [validCard] = await tx.sql.rows<ValidRecord>(VALID_RECORD, uid, lockId);
  const expiresAt = await lastRecordEnd(scope, tx, lockId, uid);
  const common = { subject: cardSubject(uid), expiresAt };
  const args = { uid, until: expiresAt?.toISOString() ?? null };
  if (!validCard) {
    await enqueue(scope, tx, lockId, { type: "block_card", ...common, cardId: id, args });
    return;
  }
  const { id: cardId, ...record } = validCard;
  await enqueue(scope, tx, lockId, { type: "allow_card", ...common, cardId, args: { ...args, ...record } });
}

/** The record of an active card that is valid at a lock. */
interface ValidRecord {
  id: number;
  sequence: number;
  validFrom: string;
  validTo: string | null;
}

/** $2: the card's number, $3: the lock. Zone records have the sequence 0. */
const VALID_RECORD = `SELECT c.id, CASE WHEN c.lock_number = $3::int THEN c.sequence ELSE 0 END AS sequence,
    iso(c.valid_from) AS "validFrom", iso(c.valid_to) AS "validTo"
  FROM card c
  WHERE c.hotel_id = $1 AND c.uid = $2::text AND c.kind = 'guest' AND NOT c.over_the_air AND c.state = 'active'
    AND (c.lock_number = $3::int OR EXISTS (SELECT FROM lock_zone x WHERE x.lock_id = $3::int
      AND x.zone_id = ANY (c.zones) AND x.zone_id <> ALL (c.revoked_zones)))
  ORDER BY c.id DESC LIMIT 1`;

/** Returns when the last record ever made for that number and lock expires, including valid ones; null: never. */
async function lastRecordEnd(scope: Scope, tx: Transaction, lockId: number, uid: string): Promise<Date | null> {
  const [row] = await tx.sql.rows<{ end: string | null }>(
    `SELECT CASE WHEN bool_or(valid_to IS NULL) THEN NULL ELSE iso(coalesce(max(valid_to), $4::timestamptz)) END AS "end"
       FROM card WHERE hotel_id = $1 AND uid = $2 AND NOT over_the_air AND kind = 'guest' AND (lock_number = $3
         OR EXISTS (SELECT FROM lock_zone x WHERE x.lock_id = $3 AND x.zone_id = ANY (zones)))`,
    uid,
    lockId,
    scope.now().toISOString(),
  );
  return row && row.end !== null ? new Date(row.end) : null;
}

/**
 * Returns the locks of `lockIds` (null: all of the hotel) that refuse the number or may do so, possibly with one
 * allowed record.
 */
export async function locksRefusing(
  scope: Scope,
  tx: Transaction,
  uid: string,
  lockIds: readonly number[] | null,
): Promise<number[]> {
  const rows = await tx.sql.rows<{ lockId: number }>(
    `SELECT DISTINCT k.lock_id AS "lockId"
       FROM lock_command k JOIN lock l ON l.id = k.lock_id AND l.deleted_at IS NULL
      WHERE k.hotel_id = $1 AND k.subject = $2 AND k.type IN ('block_card', 'allow_card') AND k.state <> 'superseded'
        AND ($3::int[] IS NULL OR k.lock_id = ANY ($3::int[]))
        AND (k.expires_at IS NULL OR k.expires_at > $4::timestamptz)
      ORDER BY "lockId"`,
    cardSubject(uid),
    lockIds === null ? null : [...lockIds],
    scope.now().toISOString(),
  );
  return rows.map(({ lockId }) => lockId);
}

/**
 * After a card is rewritten, makes a lock that refuses its number accept the new record, but none that the card carried
 * before.
 */
export async function allowRewrittenCard(
  scope: Scope,
  tx: Transaction,
  card: RefusedCard,
  lockId: number,
): Promise<void> {
  const refusing = await locksRefusing(scope, tx, card.uid, [lockId]);
  if (refusing.length > 0) await enqueueRefusal(scope, tx, lockId, card);
}

/**
 * Handles a lock that leaves its door or moves to another. Guests' cards with its number would open whatever door it is
 * on, so they are revoked and the lock refuses every card written so far.
 */
export async function revokeGuestCardsOfLock(
  scope: Scope,
  tx: Transaction,
  { id: lockId, sequenceFrom }: Pick<Lock, "id" | "sequenceFrom">,
): Promise<void> {
  const written = { kind: "guest" as const, overTheAir: false, lockNumber: lockId };
  await revokeCards(scope, tx, written, "lock_moved");
  const { _max } = await tx.db.card.aggregate({
    where: { ...written, ...createdSince(sequenceFrom) },
    _max: { sequence: true },
  });
  if (_max.sequence !== null) await raiseMinSequence(scope, tx, lockId, _max.sequence + 1);
  await blockZoneRecords(scope, tx, written);
  await settleCards(scope, tx);
}
