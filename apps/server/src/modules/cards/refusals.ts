import type { Scope } from "../../core/scope.ts";
import type { Unit } from "../../core/unit.ts";
import type { Card, Prisma } from "../../infra/database/generated/client.ts";
import { enqueue, enqueueAll, type NewCommand } from "../locks/commands.ts";
import { raiseFloor, settleCards } from "../locks/floors.ts";
import { takeBack } from "./take-back.ts";

/**
 * How a lock comes to refuse a written card that was taken back. A guest's: by its sequence, if no live card of the lock
 * has the same or a lower one; else by its number, so that its duplicates keep working. A universal one: by its number,
 * at every lock. A management card needs none of it: the locks drop it from their lists.
 */
type Refused = Pick<Card, "id" | "uid" | "validTo">;

const cardSubject = (uid: string): string => `card:${uid}`;

/** The locks of those cards refuse all guests' cards that were taken back. */
export async function refuseTakenBack(scope: Scope, unit: Unit, which: Prisma.CardWhereInput): Promise<void> {
  const locks = await unit.db.card.findMany({
    where: { AND: [which, { kind: "guest", state: "revoking", lockNumber: { not: null } }] },
    distinct: ["lockNumber"],
    orderBy: { lockNumber: "asc" },
    select: { lockNumber: true },
  });
  for (const { lockNumber } of locks) if (lockNumber !== null) await refuseAt(scope, unit, lockNumber);
}

async function refuseAt(scope: Scope, unit: Unit, lockId: number): Promise<void> {
  const lock = await unit.db.lock.findFirst({
    where: { id: lockId, removedAt: null, driver: "mqtt" },
    select: { guestFloor: true },
  });
  if (!lock) return;
  const written = { kind: "guest", overTheAir: false, lockNumber: lockId } as const;
  const { _min } = await unit.db.card.aggregate({
    where: { ...written, state: { in: ["pending", "active"] } },
    _min: { sequence: true },
  });
  const gone = await unit.db.card.findMany({
    where: {
      ...written,
      state: "revoking",
      sequence: { gte: lock.guestFloor },
      OR: [{ validTo: null }, { validTo: { gt: scope.now() } }],
    },
    orderBy: { sequence: "asc" },
  });
  const lowestLive = _min.sequence ?? Number.POSITIVE_INFINITY;
  const highestBelow = gone.filter(({ sequence }) => sequence < lowestLive).at(-1);
  if (highestBelow) await raiseFloor(scope, unit, lockId, "guest", Math.min(highestBelow.sequence + 1, lowestLive));
  for (const card of gone) if (card.sequence >= lowestLive) await block(scope, unit, lockId, card);
}

/** Every lock refuses that card's number; those that were told so already are not told again. */
export async function blockEverywhere(scope: Scope, unit: Unit, card: Refused): Promise<void> {
  const locks = await unit.sql.rows<{ id: number }>(
    `SELECT l.id FROM lock l WHERE l.hotel_id = $1 AND l.removed_at IS NULL AND l.driver = 'mqtt'
       AND NOT EXISTS (SELECT FROM lock_command k WHERE k.lock_id = l.id AND k.card_id = $2::int AND k.type = 'block_card'
                         AND k.state IN ('queued', 'sent', 'acknowledged'))
      ORDER BY l.id`,
    card.id,
  );
  const lockIds = locks.map(({ id }) => id);
  await enqueueAll(scope, unit, lockIds, blockOf(card));
}

/**
 * For locks that are set up anew, before they are given keys: they refuse the universal cards that were taken back, and
 * the guests' cards of their own whose sequence is not below the guest floor, also those that they, or all the other locks,
 * refused before: they may have been reset. A card that was written again since carries no such record any more.
 */
export async function blockTakenBack(
  scope: Scope,
  unit: Unit,
  locks: readonly { id: number; guestFloor: number }[],
): Promise<void> {
  const lockIds = locks.map(({ id }) => id);
  const cards = await unit.sql.rows<{ id: number; uid: string; validTo: string | null; lockId: number | null }>(
    `SELECT c.id, c.uid, iso(c.valid_to) AS "validTo", l.id AS "lockId" FROM card c
       LEFT JOIN unnest($3::int[], $4::int[]) AS l (id, guest_floor) ON c.kind = 'guest' AND l.id = c.lock_number
      WHERE c.hotel_id = $1 AND c.state IN ('revoking', 'revoked') AND NOT c.over_the_air
        AND (c.kind = 'universal' OR c.sequence >= l.guest_floor)
        AND (c.valid_to IS NULL OR c.valid_to > $2::timestamptz)
        AND NOT EXISTS (SELECT FROM card n WHERE n.hotel_id = $1 AND n.uid = c.uid AND n.id > c.id
                          AND NOT n.over_the_air AND n.confirmed_at IS NOT NULL)
      ORDER BY c.id`,
    scope.now().toISOString(),
    lockIds,
    locks.map(({ guestFloor }) => guestFloor),
  );
  for (const { id, uid, validTo, lockId } of cards) {
    const card = { id, uid, validTo: validTo === null ? null : new Date(validTo) };
    await enqueueAll(scope, unit, lockId === null ? lockIds : [lockId], blockOf(card));
  }
}

/** Once is enough, unless it failed: an open command waits its turn. */
async function block(scope: Scope, unit: Unit, lockId: number, card: Refused): Promise<void> {
  const said = await unit.db.lockCommand.findFirst({
    where: { lockId, cardId: card.id, type: "block_card", state: { in: ["queued", "sent", "acknowledged"] } },
    select: { id: true },
  });
  if (!said) await sendBlock(scope, unit, lockId, card);
}

/** Tells one lock, whatever it was told before, to refuse the card's number for as long as its record lasts. */
export async function sendBlock(scope: Scope, unit: Unit, lockId: number, card: Refused): Promise<void> {
  await enqueue(scope, unit, lockId, blockOf(card));
}

function blockOf({ id, uid, validTo }: Refused): NewCommand<"block_card"> {
  return {
    type: "block_card",
    subject: cardSubject(uid),
    cardId: id,
    expiresAt: validTo,
    args: { uid, until: validTo?.toISOString() ?? null },
  };
}

/** Locks of `lockIds` (null: of the house) that refuse the number, or may: the last they were told of it was a block. */
export async function locksRefusing(
  scope: Scope,
  unit: Unit,
  uid: string,
  lockIds: readonly number[] | null,
): Promise<number[]> {
  const rows = await unit.sql.rows<{ lockId: number }>(
    `SELECT "lockId" FROM (
       SELECT DISTINCT ON (k.lock_id) k.lock_id AS "lockId", k.type, k.expires_at
         FROM lock_command k JOIN lock l ON l.id = k.lock_id AND l.removed_at IS NULL
        WHERE k.hotel_id = $1 AND k.subject = $2 AND k.type IN ('block_card', 'allow_card') AND k.state <> 'superseded'
          AND ($3::int[] IS NULL OR k.lock_id = ANY ($3::int[]))
        ORDER BY k.lock_id, k.seq DESC) last
      WHERE type = 'block_card' AND (expires_at IS NULL OR expires_at > $4::timestamptz) ORDER BY "lockId"`,
    cardSubject(uid),
    lockIds === null ? null : [...lockIds],
    scope.now().toISOString(),
  );
  return rows.map(({ lockId }) => lockId);
}

/** A card was written anew, so its number is good again. Only then: until its record is overwritten, the old one would be. */
export async function allowAgain(
  scope: Scope,
  unit: Unit,
  card: Pick<Card, "id" | "uid">,
  lockIds: readonly number[] | null,
): Promise<void> {
  await enqueueAll(scope, unit, await locksRefusing(scope, unit, card.uid, lockIds), {
    type: "allow_card",
    subject: cardSubject(card.uid),
    cardId: card.id,
    args: { uid: card.uid },
  });
}

/**
 * A lock leaves its door, or comes to another: guests' cards that carry its number would open whatever it hangs on. They
 * are taken back, and it refuses every one written so far.
 */
export async function forgetGuests(scope: Scope, unit: Unit, lockId: number): Promise<void> {
  const written = { kind: "guest" as const, overTheAir: false, lockNumber: lockId };
  await takeBack(scope, unit, written, "lock_moved");
  const { _max } = await unit.db.card.aggregate({ where: written, _max: { sequence: true } });
  if (_max.sequence !== null) await raiseFloor(scope, unit, lockId, "guest", _max.sequence + 1);
  await settleCards(scope, unit);
}
