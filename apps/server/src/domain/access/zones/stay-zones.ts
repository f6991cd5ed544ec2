import type { Credential } from "../../../adapters/postgres/generated/client.ts";
import type { HotelSql } from "../../../kernel/hotel-database.ts";
import type { Scope } from "../../../kernel/scope.ts";
import type { Transaction } from "../../../kernel/transaction.ts";
import { REMOVED_ALERTS_RETURN_MS, raiseAlert, resolveAlerts, wasRemovedByHand } from "../../messaging/public.ts";
import { locksRefusing, refuseLostZones } from "../cards/refusals.ts";
import { updateRewriteMarksOfStays } from "../cards/rewrites.ts";
import { credentialContent } from "../credentials/credential-content.ts";
import { type CredentialSubject, grantCredential, isCodeUsed, revokeCredentials } from "../credentials/credentials.ts";

/**
 * The keys of stays at the common doors of their zones. Which doors those are is the rule of the views zone_of_stay and
 * door_of_stay (prisma/migrations).
 */

/** Whether a statement is about some stays ($2), or about all stays of the hotel ($2 is null). */
type Range = "some" | "all";

/** Each range has texts of its own: PostgreSQL plans a text once, and one plan for both couldn't find stays by index. */
const inRange = (range: Range, column: string): string =>
  range === "some" ? `${column} = ANY ($2::int[])` : "$2::int[] IS NULL";

/**
 * The keys of each live stay at its room's door: cards by number, codes and faces. One-time codes open the room alone,
 * because only its lock can compute them. A key whose period is over, or whose room lost its lock, keeps its other doors.
 */
const keys = (range: Range): string => `key AS MATERIALIZED (
  SELECT DISTINCT ON (t.stay_id, t.card_id, t.passcode_id, t.face_id) t.id, t.stay_id, t.card_id, t.passcode_id, t.face_id,
    t.valid_from, t.valid_to, t.code_hash, c.uid, t.state NOT IN ('revoking', 'revoked') AS live
  FROM stay_now s JOIN credential t ON t.stay_id = s.id
  LEFT JOIN passcode p ON p.id = t.passcode_id
  LEFT JOIN card c ON c.id = t.card_id
  WHERE t.hotel_id = $1 AND ${inRange(range, "t.stay_id")} AND t.room_id = s.room_id
    AND s.hotel_id = $1 AND s.state IN ('reserved', 'checked_in') AND p.type IS DISTINCT FROM 'one_time'
    AND (t.state NOT IN ('revoking', 'revoked') OR t.revoke_reason IN ('period_over', 'lock_moved'))
  ORDER BY t.stay_id, t.card_id, t.passcode_id, t.face_id, t.state NOT IN ('revoking', 'revoked') DESC, t.id DESC)`;

const SAME_KEY = `o.card_id IS NOT DISTINCT FROM k.card_id AND o.passcode_id IS NOT DISTINCT FROM k.passcode_id
  AND o.face_id IS NOT DISTINCT FROM k.face_id`;

/** Whether another key has the code of key `k` at the lock of door `d` in an overlapping time, as `isCodeUsed` says. */
const CODE_TAKEN = `EXISTS (SELECT FROM credential x
  WHERE x.lock_id = d.lock_id AND x.code_hash = k.code_hash AND x.state <> 'revoked' AND x.passcode_id <> k.passcode_id
    AND (k.valid_to IS NULL OR x.valid_from < k.valid_to)
    AND (x.valid_to IS NULL OR x.valid_to > k.valid_from OR x.at_lock_to > k.valid_from
      OR x.at_lock_from IS NOT NULL AND x.at_lock_to IS NULL))`;

/** Whether the lock of door `d` refuses the number of card `k`, as `locksRefusing` says. */
const NUMBER_REFUSED = `EXISTS (SELECT FROM lock_command b
  WHERE b.lock_id = d.lock_id AND b.subject = 'card:' || k.uid AND b.type IN ('block_card', 'allow_card')
    AND b.state <> 'superseded' AND (b.expires_at IS NULL OR b.expires_at > $3::timestamptz))`;

/** Keys that a common door lacks, by lock, with what keeps them away from it. $3: the instant. */
const lacking = (range: Range): string => `WITH ${keys(range)}, lacking AS (
  SELECT DISTINCT d.lock_id, k.id, k.stay_id, k.passcode_id, ${CODE_TAKEN} AS taken, ${NUMBER_REFUSED} AS refused
  FROM key k JOIN door_of_stay d ON d.stay_id = k.stay_id AND d.lock_id IS NOT NULL
  WHERE k.live AND (k.valid_to IS NULL OR k.valid_to > $3::timestamptz)
    AND NOT EXISTS (SELECT FROM credential o WHERE o.stay_id = k.stay_id AND o.lock_id = d.lock_id
      AND o.state NOT IN ('revoking', 'revoked') AND ${SAME_KEY}))`;

interface MissingKey {
  lockId: number;
  credentialId: number;
}

/** $4: at most so many */
const missing = (
  range: Range,
): string => `${lacking(range)} SELECT lock_id AS "lockId", id AS "credentialId" FROM lacking
  WHERE NOT taken AND NOT refused ORDER BY 1, 2 LIMIT $4::int`;

/** Keys of stays at common doors that their stay doesn't open, or that the stay no longer has. $3: at most so many */
const surplus = (range: Range): string => `WITH ${keys(range)}
  SELECT o.id FROM credential o
  WHERE o.hotel_id = $1 AND o.room_id IS NULL AND o.stay_id IS NOT NULL AND o.state NOT IN ('revoking', 'revoked')
    AND ${inRange(range, "o.stay_id")}
    AND NOT EXISTS (SELECT FROM key k JOIN door_of_stay d ON d.stay_id = k.stay_id AND d.lock_id = o.lock_id
      WHERE k.stay_id = o.stay_id AND ${SAME_KEY})
  ORDER BY o.lock_id, o.id LIMIT $3::int`;

interface CardOffZones {
  id: number;
  stayId: number;
  /** The zones on the card that the stay lacks. */
  zones: number[];
}

/**
 * Written cards of live stays whose zones aren't those of the stay, with the zones that the stay lacks. A card whose writing
 * was not confirmed may have been written all the same. $3: at most so many
 */
const cardsOffZones = (range: Range): string => `SELECT c.id, c.stay_id AS "stayId", lost.zones
  FROM card c JOIN stay s ON s.hotel_id = $1 AND s.id = c.stay_id AND s.state IN ('reserved', 'checked_in')
  CROSS JOIN LATERAL (SELECT coalesce(array_agg(z ORDER BY z), '{}') AS zones FROM unnest(c.zones) AS z
    WHERE NOT EXISTS (SELECT FROM zone_of_stay v WHERE v.stay_id = s.id AND v.zone_id = z)) lost
  WHERE c.hotel_id = $1 AND ${inRange(range, "c.stay_id")} AND c.state IN ('pending', 'active')
    AND c.kind = 'guest' AND NOT c.over_the_air AND c.zones <> '{}' AND c.revoked_zones <> lost.zones
  ORDER BY c.id LIMIT $3::int`;

/** Runs a statement about some stays, or all (null), which has a plan of its own for each. */
function rowsInRange<T>(
  sql: HotelSql,
  name: string,
  statement: (range: Range) => string,
  stayIds: number[] | null,
  ...params: unknown[]
): Promise<T[]> {
  const range = stayIds === null ? "all" : "some";
  return sql.prepared<T>(`${name}-${range}`, statement(range), stayIds, ...params);
}

/** So many keys are granted or revoked in one transaction, which takes a few seconds of the thirty that it has. */
export const KEYS_PER_TRANSACTION = 200;

/**
 * Makes the keys of stays open the common doors of their zones and no others: cards by number, codes and faces are sent to
 * the doors' locks or taken back there, and written cards are refused where they carry a zone that their stay no longer
 * has. A code that another key has at a door stays away from it; `readStayKeys` and an alert say so. For all stays of the
 * hotel (null), as many keys as fit into a transaction: the job does the rest, because what is left to do is always what
 * differs. Returns whether something may be left. The caller has checked the permission for what caused it.
 */
export async function fitKeysToZones(
  scope: Scope,
  tx: Transaction,
  stayIds: readonly number[] | null,
  keysPerTransaction = KEYS_PER_TRANSACTION,
): Promise<boolean> {
  const [hotel] = await tx.sql.rows<{ zones: boolean }>(
    `SELECT EXISTS (SELECT FROM zone WHERE hotel_id = $1) AS zones`,
  );
  if (!hotel?.zones) return false;
  const stays = stayIds === null ? null : [...stayIds];
  const limit = stays === null ? keysPerTransaction : null;
  const revoked = await rowsInRange<{ id: number }>(tx.sql, "surplus-zone-keys", surplus, stays, limit);
  if (revoked.length > 0) {
    await revokeCredentials(scope, tx, { id: { in: revoked.map(({ id }) => id) } }, "zone_left");
  }
  const now = scope.now().toISOString();
  const lackingKeys = await rowsInRange<MissingKey>(tx.sql, "missing-zone-keys", missing, stays, now, limit);
  let granted = 0;
  for (const { lockId, credentialId } of lackingKeys)
    if (await grantAtDoor(scope, tx, lockId, credentialId)) granted += 1;
  const cards = await fitCards(scope, tx, stays, limit);
  // If nothing changed, the next transaction would find the same.
  const isChanged = revoked.length + granted + cards > 0;
  return isChanged && [revoked.length, lackingKeys.length, cards].includes(limit ?? 0);
}

/** Locks the stay of a key ($2) against its check-out, if it is live. */
const LIVE_STAY_OF_KEY = `SELECT s.id FROM stay s JOIN credential c ON c.hotel_id = $1 AND c.stay_id = s.id
  WHERE s.hotel_id = $1 AND c.id = $2::int AND s.state IN ('reserved', 'checked_in') FOR NO KEY UPDATE OF s`;

/** Grants a key of a stay at a common door, for the period that it has at the room. Returns whether it did. */
async function grantAtDoor(scope: Scope, tx: Transaction, lockId: number, credentialId: number): Promise<boolean> {
  // The party may have left, or the key may have ended, since the missing keys were read.
  const [stay] = await tx.sql.rows<{ id: number }>(LIVE_STAY_OF_KEY, credentialId);
  const credential = await tx.db.credential.findFirstOrThrow({ where: { id: credentialId } });
  if (!stay || credential.state === "revoking" || credential.state === "revoked") return false;
  const { validFrom, validTo, codeHash, passcodeId, cardId } = credential;
  const hash = codeHash && Buffer.from(codeHash);
  const window = { validFrom, validTo };
  if (hash && (await isCodeUsed(tx, lockId, [hash], window, passcodeId ?? 0))) return false;
  if (cardId !== null) {
    const { uid } = await tx.db.card.findFirstOrThrow({ where: { id: cardId }, select: { uid: true } });
    if ((await locksRefusing(scope, tx, uid, [lockId])).length > 0) return false;
  }
  await grantCredential(scope, tx, { id: lockId, roomId: null }, await subjectOf(scope, tx, credential), window);
  return true;
}

async function subjectOf(scope: Scope, tx: Transaction, credential: Credential): Promise<CredentialSubject> {
  const { kind, stayId, cardId, passcodeId, faceId, codeHash } = credential;
  return {
    kind,
    stayId,
    content: await credentialContent(scope, tx, credential),
    ...(cardId !== null && { cardId }),
    ...(passcodeId !== null && { passcodeId }),
    ...(faceId !== null && { faceId }),
    ...(codeHash && { codeHash: Buffer.from(codeHash) }),
  };
}

/**
 * Refuses the zone records of written cards whose stay lost the zone, and lets those pass whose stay has it again. Returns
 * the number of cards.
 */
async function fitCards(
  scope: Scope,
  tx: Transaction,
  stayIds: number[] | null,
  limit: number | null,
): Promise<number> {
  const cards = await rowsInRange<CardOffZones>(tx.sql, "cards-off-zones", cardsOffZones, stayIds, limit);
  for (const { id, zones } of cards) {
    const data = { revokedZones: zones, zonesRevokedAt: zones.length > 0 ? scope.now() : null };
    const card = await tx.db.card.update({ where: { id }, data });
    await refuseLostZones(scope, tx, card);
  }
  const changed = [...new Set(cards.map(({ stayId }) => stayId))];
  await updateRewriteMarksOfStays(scope, tx, stayIds ?? changed);
  return cards.length;
}

/**
 * Returns the zones whose records a new card of the stay carries, as many as it has sectors for; cards of the old format
 * have none. Only zones with a lock that reads records count.
 */
export async function zonesForCard(tx: Transaction, stayId: number): Promise<number[]> {
  const rows = await tx.sql.rows<{ zoneId: number }>(
    `SELECT v.zone_id AS "zoneId" FROM zone_of_stay v
      WHERE v.hotel_id = $1 AND v.stay_id = $2::int AND EXISTS (SELECT FROM lock_zone x JOIN lock l ON l.id = x.lock_id
        AND l.driver = 'mqtt' WHERE x.zone_id = v.zone_id AND x.left_at IS NULL)
      ORDER BY v.zone_id`,
    stayId,
  );
  return rows.map(({ zoneId }) => zoneId);
}

/** Returns the locks of the common doors that a stay opens, with the doors' names. */
export async function commonDoorsOfStay(
  tx: Transaction,
  stayId: number,
): Promise<{ id: number; roomId: null; roomName: string }[]> {
  const doors = await tx.sql.rows<{ id: number; roomName: string }>(
    `SELECT DISTINCT v.lock_id AS id, d.name AS "roomName" FROM door_of_stay v JOIN door d ON d.id = v.door_id
      WHERE v.hotel_id = $1 AND v.stay_id = $2::int AND v.lock_id IS NOT NULL ORDER BY id`,
    stayId,
  );
  return doors.map((door) => ({ ...door, roomId: null }));
}

/** Whether `fitKeysToZones` has anything to change in the hotel, for a job that writes only then. */
export async function hasMisfits(scope: Scope): Promise<boolean> {
  const one = 1;
  const now = scope.now().toISOString();
  const misfits = [
    ...(await rowsInRange(scope.sql, "missing-zone-keys", missing, null, now, one)),
    ...(await rowsInRange(scope.sql, "surplus-zone-keys", surplus, null, one)),
    ...(await rowsInRange(scope.sql, "cards-off-zones", cardsOffZones, null, one)),
  ];
  return misfits.length > 0;
}

/** A code of a stay that a common door of the stay doesn't accept, because another key has it there. */
export interface TakenCode {
  lockId: number;
  passcodeId: number;
}

const takenCodes = (range: Range): string => `${lacking(range)}
  SELECT lock_id AS "lockId", passcode_id AS "passcodeId" FROM lacking WHERE taken AND passcode_id IS NOT NULL`;

/** Returns the codes of a stay that other keys have at its common doors. */
export function takenCodesOfStay(scope: Scope, stayId: number): Promise<TakenCode[]> {
  const now = scope.now().toISOString();
  return rowsInRange<TakenCode>(scope.sql, "taken-codes", takenCodes, [stayId], now);
}

/** The locks whose alert about taken codes says another number than is true. $4: when removed alerts come back. */
const TAKEN_ALERTS = `${lacking("all")}, taken AS (
    SELECT lock_id, count(DISTINCT passcode_id)::int AS codes FROM lacking WHERE taken GROUP BY lock_id)
  SELECT coalesce(t.lock_id, m.lock_id) AS "lockId", coalesce(t.codes, 0) AS codes
  FROM taken t FULL JOIN (SELECT lock_id, (params ->> 'count')::int AS count FROM alert
    WHERE hotel_id = $1 AND kind = 'code_taken' AND resolved_at IS NULL) m ON m.lock_id = t.lock_id
  WHERE coalesce(t.codes, 0) <> coalesce(m.count, 0)
    AND (m.lock_id IS NOT NULL OR NOT ${wasRemovedByHand("'code_taken'", "t.lock_id", "t.codes", "$4")})
  ORDER BY 1`;

/** Raises, changes or resolves the alerts about codes of stays that other keys have at common doors. */
export async function alertTakenCodes(scope: Scope): Promise<void> {
  const now = scope.now();
  const since = new Date(now.getTime() - REMOVED_ALERTS_RETURN_MS).toISOString();
  const locks = await scope.sql.prepared<{ lockId: number; codes: number }>(
    "taken-code-alerts",
    TAKEN_ALERTS,
    null,
    now.toISOString(),
    since,
  );
  if (locks.length === 0) return;
  await scope.write(async (tx) => {
    const kind = "code_taken";
    for (const { lockId, codes } of locks) {
      if (codes === 0) await resolveAlerts(scope, tx, { kind, lockId });
      else await raiseAlert(scope, tx, { kind, lockId, roomId: null, params: { count: codes, codes } });
    }
  });
}
