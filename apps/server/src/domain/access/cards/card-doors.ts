import type { Card } from "../../../adapters/postgres/generated/client.ts";
import type { Scope } from "../../../kernel/scope.ts";
import type { Transaction } from "../../../kernel/transaction.ts";
import { grantCardOnLocks, type LockOnDoor, revokeCredentials } from "../credentials/credentials.ts";
import { hoursOf, listEntry } from "./card-record.ts";
import { selectCardsForUpdate } from "./find-card.ts";
import { locksRefusing } from "./refusals.ts";

/**
 * Grants a card to locks as a credential, in the order of their ids. It is a staff card, a master key card, or a card
 * that opens by its number. One that ended since the caller read it is not granted.
 */
export async function grantCardToLocks(
  scope: Scope,
  tx: Transaction,
  { id }: Pick<Card, "id">,
  locks: readonly LockOnDoor[],
): Promise<void> {
  await selectCardsForUpdate(tx, [id]);
  const card = await tx.db.card.findFirst({ where: { id, state: "active" } });
  if (!card) return;
  const { id: cardId, stayId, validFrom, validTo } = card;
  const content = await listEntry(scope, tx, card);
  await grantCardOnLocks(scope, tx, locks, { cardId, stayId, content }, { validFrom, validTo });
}

/**
 * Returns every lock on a door, a room's or a common one, by id, which is the order in which their rows must be locked. For written cards only
 * locks that read records.
 */
export async function listLocksOnDoors(
  tx: Transaction,
  { overTheAir }: Pick<Card, "overTheAir">,
): Promise<LockOnDoor[]> {
  return tx.db.lock.findMany({
    where: {
      deletedAt: null,
      OR: [{ room: { is: { deletedAt: null } } }, { doorId: { not: null } }],
      ...(!overTheAir && { driver: "mqtt" }),
    },
    orderBy: { id: "asc" },
    select: { id: true, roomId: true },
  });
}

/**
 * Returns the locks of the doors that a staff, emergency, block-out or one-shot card is for (view lock_of_staff_card), by id. A door that lost its lock gets the
 * card with its next one.
 */
export async function locksOfStaffCard(tx: Transaction, cardId: number): Promise<LockOnDoor[]> {
  return tx.sql.rows<LockOnDoor>(
    `SELECT v.lock_id AS id, v.room_id AS "roomId" FROM lock_of_staff_card v WHERE v.hotel_id = $1 AND v.card_id = $2::int ORDER BY 1`,
    cardId,
  );
}

/** Written staff and special cards that are in use and not over. $2: the instant. */
const FOLLOWING = `following AS (SELECT c.* FROM card c
  WHERE c.hotel_id = $1 AND c.state = 'active' AND c.kind NOT IN ('guest', 'universal') AND NOT c.over_the_air
    AND (c.valid_to IS NULL OR c.valid_to > $2::timestamptz))`;

interface StaffDoor {
  cardId: number;
  lockId: number;
  roomId: number | null;
}

/** $3: at most so many */
const MISSING = `WITH ${FOLLOWING}
  SELECT v.card_id AS "cardId", v.lock_id AS "lockId", v.room_id AS "roomId"
    FROM following c JOIN lock_of_staff_card v ON v.hotel_id = c.hotel_id AND v.card_id = c.id
   WHERE NOT EXISTS (SELECT FROM credential t WHERE t.card_id = c.id AND t.lock_id = v.lock_id AND t.state NOT IN ('revoking', 'revoked'))
   ORDER BY 2, 1 LIMIT $3::int`;

const SURPLUS = `WITH ${FOLLOWING}
  SELECT t.id FROM following c JOIN credential t ON t.hotel_id = c.hotel_id AND t.card_id = c.id AND t.state NOT IN ('revoking', 'revoked')
   WHERE NOT EXISTS (SELECT FROM lock_of_staff_card v WHERE v.hotel_id = c.hotel_id AND v.card_id = c.id AND v.lock_id = t.lock_id)
   ORDER BY t.lock_id, t.id LIMIT $3::int`;

/** So many doors of staff cards are changed in one transaction. */
const DOORS_PER_TRANSACTION = 200;

/**
 * Makes staff cards follow their groups and zones: locks of doors that joined get the card, and those of doors that left lose
 * it. At most so many at once; returns whether something may be left. The caller has checked the permission for what
 * caused it.
 */
export async function fitStaffCards(scope: Scope, tx: Transaction, limit = DOORS_PER_TRANSACTION): Promise<boolean> {
  const now = scope.now().toISOString();
  const surplus = await tx.sql.prepared<{ id: number }>("surplus-staff-doors", SURPLUS, now, limit);
  const missing = await tx.sql.prepared<StaffDoor>("missing-staff-doors", MISSING, now, limit);
  await selectCardsForUpdate(tx, [...new Set(missing.map(({ cardId }) => cardId))]);
  if (surplus.length > 0) await revokeCredentials(scope, tx, { id: { in: surplus.map(({ id }) => id) } }, "door_left");
  for (const { cardId, lockId, roomId } of missing)
    await grantCardToLocks(scope, tx, { id: cardId }, [{ id: lockId, roomId }]);
  return surplus.length === limit || missing.length === limit;
}

/** Whether `fitStaffCards` has anything to change in the hotel. */
export async function haveStaffCardsMisfits(scope: Scope): Promise<boolean> {
  const now = scope.now().toISOString();
  const one = 1;
  const surplus = await scope.sql.prepared("surplus-staff-doors", SURPLUS, now, one);
  return surplus.length > 0 || (await scope.sql.prepared("missing-staff-doors", MISSING, now, one)).length > 0;
}

/**
 * Grants the cards of a door to a lock that was assigned to it. Only locks of our own protocol read the record on a card;
 * all others know cards by their number, and none with days and hours. Cards that open by their number are left out where
 * the lock was instructed to refuse the number: accepting it would also accept an old record still written on the card.
 */
export async function grantDoorCards(scope: Scope, tx: Transaction, lock: LockOnDoor): Promise<void> {
  const { roomId } = lock;
  const { driver } = await tx.db.lock.findFirstOrThrow({ where: { id: lock.id }, select: { driver: true } });
  const staffCards = await tx.sql.rows<{ id: number }>(
    `SELECT v.card_id AS id FROM lock_of_staff_card v WHERE v.hotel_id = $1 AND v.lock_id = $2::int`,
    lock.id,
  );
  const cards = await tx.db.card.findMany({
    where: {
      state: "active",
      AND: [
        {
          OR: [
            { id: { in: staffCards.map(({ id }) => id) } },
            ...(roomId === null ? [] : [{ rooms: { some: { roomId } }, overTheAir: true }]),
            { kind: "universal" },
          ],
        },
        { OR: [{ validTo: null }, { validTo: { gt: scope.now() } }] },
      ],
    },
    orderBy: { id: "asc" },
  });
  for (const card of cards) {
    if (driver !== "mqtt" && (!card.overTheAir || hoursOf(card).length > 0)) continue;
    const isRefused = card.overTheAir && (await locksRefusing(scope, tx, card.uid, [lock.id])).length > 0;
    if (!isRefused) await grantCardToLocks(scope, tx, card, [lock]);
  }
}
