import type { Scope } from "../../../kernel/scope.ts";
import type { Transaction } from "../../../kernel/transaction.ts";
import { selectLocksForUpdate } from "../lock-commands/commands.ts";
import { grantCardToLocks, locksOfStaffCard } from "./card-doors.ts";
import { selectCardsForUpdate } from "./find-card.ts";
import { revokeCards } from "./revoke-cards.ts";

/**
 * Cards that show a vacant room end before a party's own key opens it: the party may go in by itself before the desk has
 * checked it in.
 */

/** Keys of parties that are expected or in the hotel, by lock. $2: the instant. */
const PARTY_KEYS = `SELECT t.lock_id, t.stay_id, t.valid_from FROM credential t JOIN stay s ON s.id = t.stay_id
   WHERE t.hotel_id = $1 AND s.state IN ('reserved', 'checked_in') AND t.state NOT IN ('revoking', 'revoked')
     AND (t.valid_to IS NULL OR t.valid_to > $2::timestamptz)
  UNION ALL
  SELECT g.lock_number, g.stay_id, g.valid_from FROM card g JOIN stay s ON s.id = g.stay_id
   WHERE g.hotel_id = $1 AND s.state IN ('reserved', 'checked_in') AND g.kind = 'guest' AND NOT g.over_the_air
     AND g.state IN ('pending', 'active') AND (g.valid_to IS NULL OR g.valid_to > $2::timestamptz)`;

/**
 * Returns from when the first key of a party opens one of the locks, which may be over, or null if no party has a key. The
 * locks' rows stay locked, so that a key that is granted meanwhile finds the card that is about to be made.
 */
export async function firstPartyKey(scope: Scope, tx: Transaction, lockIds: readonly number[]): Promise<Date | null> {
  await selectLocksForUpdate(tx, lockIds);
  const [first] = await tx.sql.rows<{ validFrom: string | null }>(
    `SELECT iso(min(k.valid_from)) AS "validFrom" FROM (${PARTY_KEYS}) k WHERE k.lock_id = ANY ($3::int[])`,
    scope.now(),
    [...lockIds],
  );
  return first?.validFrom ? new Date(first.validFrom) : null;
}

/** Cards that show a room, can still open, and end later than the first key of a party opens it. $3: a stay, or null; $4: a room, or null. */
const OUTLASTING = `SELECT c.id, c.state::text AS state, iso(min(k.valid_from)) AS "validFrom"
  FROM card c JOIN card_room cr ON cr.card_id = c.id JOIN lock l ON l.hotel_id = $1 AND l.room_id = cr.room_id
  JOIN (${PARTY_KEYS}) k ON k.lock_id = l.id
  WHERE c.hotel_id = $1 AND c.kind = 'one_shot' AND c.state IN ('pending', 'active') AND c.valid_to > $2::timestamptz
    AND NOT (c.once AND c.used_at IS NOT NULL) AND k.valid_from < c.valid_to AND ($3::int IS NULL OR k.stay_id = $3::int) AND ($4::int IS NULL OR cr.room_id = $4::int)
  GROUP BY c.id ORDER BY c.id`;

/**
 * Lets cards that show a room end when the first key of a party opens it: those of a stay that got keys or whose keys moved,
 * or of a room that got a lock. A key that opens already ends them at once; so does any key if the card is just being
 * written, because its end is written on it. The caller has granted the keys.
 */
export async function limitShowings(
  scope: Scope,
  tx: Transaction,
  { stayId = null, roomId = null }: { stayId?: number | null; roomId?: number | null },
): Promise<void> {
  const outlasting = await tx.sql.prepared<{ id: number; state: "pending" | "active"; validFrom: string }>(
    "outlasting-showings",
    OUTLASTING,
    scope.now(),
    stayId,
    roomId,
  );
  if (outlasting.length === 0) return;
  await selectCardsForUpdate(
    tx,
    outlasting.map(({ id }) => id),
  );
  const begun = outlasting.filter(({ state, validFrom }) => state === "pending" || new Date(validFrom) <= scope.now());
  await revokeCards(scope, tx, { id: { in: begun.map(({ id }) => id) } }, "new_guest");
  for (const { id, validFrom } of outlasting) {
    const where = { id, state: "active" as const, validTo: { gt: new Date(validFrom) } };
    const { count } = await tx.db.card.updateMany({ where, data: { validTo: new Date(validFrom) } });
    if (count > 0) await grantCardToLocks(scope, tx, { id }, await locksOfStaffCard(tx, id));
  }
}
