import type { Credential } from "../../../adapters/postgres/generated/client.ts";
import type { Scope } from "../../../kernel/scope.ts";
import type { Transaction } from "../../../kernel/transaction.ts";
import { locksRefusing, refuseLostZones } from "../cards/refusals.ts";
import { updateRewriteMarksOfStays } from "../cards/rewrites.ts";
import { credentialContent } from "../credentials/credential-content.ts";
import { type CredentialSubject, grantCredential, isCodeUsed, revokeCredentials } from "../credentials/credentials.ts";

/**
 * The keys of stays at the common doors of their zones. Which doors those are is the rule of the views zone_of_stay and
 * door_of_stay (prisma/migrations).
 */

/**
 * The keys of each live stay at its room's door: cards by number, codes and faces. $2: stays, null for all. One-time
 * codes open the room alone, because only its lock can compute them. A key whose period is over, or whose room lost its
 * lock, keeps its other doors.
 */
const KEYS = `key AS MATERIALIZED (
  SELECT DISTINCT ON (t.stay_id, t.card_id, t.passcode_id, t.face_id) t.id, t.stay_id, t.card_id, t.passcode_id, t.face_id,
    t.valid_to, t.state NOT IN ('revoking', 'revoked') AS live
  FROM stay_now s JOIN credential t ON t.stay_id = s.id LEFT JOIN passcode p ON p.id = t.passcode_id
  WHERE t.hotel_id = $1 AND ($2::int[] IS NULL OR t.stay_id = ANY ($2::int[])) AND t.room_id = s.room_id
    AND s.hotel_id = $1 AND s.state IN ('reserved', 'checked_in') AND p.type IS DISTINCT FROM 'one_time'
    AND (t.state NOT IN ('revoking', 'revoked') OR t.revoke_reason IN ('period_over', 'lock_moved'))
  ORDER BY t.stay_id, t.card_id, t.passcode_id, t.face_id, t.state NOT IN ('revoking', 'revoked') DESC, t.id DESC)`;

const SAME_KEY = `o.card_id IS NOT DISTINCT FROM k.card_id AND o.passcode_id IS NOT DISTINCT FROM k.passcode_id
  AND o.face_id IS NOT DISTINCT FROM k.face_id`;

/** Keys that a common door lacks, by lock. $3: the instant. */
const MISSING = `WITH ${KEYS}
  SELECT DISTINCT d.lock_id AS "lockId", k.id AS "credentialId"
  FROM key k JOIN door_of_stay d ON d.stay_id = k.stay_id AND d.lock_id IS NOT NULL
  WHERE k.live AND (k.valid_to IS NULL OR k.valid_to > $3::timestamptz)
    AND NOT EXISTS (SELECT FROM credential o WHERE o.stay_id = k.stay_id AND o.lock_id = d.lock_id
      AND o.state NOT IN ('revoking', 'revoked') AND ${SAME_KEY})
  ORDER BY 1, 2`;

/** Keys of stays at common doors that their stay doesn't open, or that the stay no longer has. */
const SURPLUS = `WITH ${KEYS}
  SELECT o.id FROM credential o
  WHERE o.hotel_id = $1 AND o.room_id IS NULL AND o.stay_id IS NOT NULL AND o.state NOT IN ('revoking', 'revoked')
    AND ($2::int[] IS NULL OR o.stay_id = ANY ($2::int[]))
    AND NOT EXISTS (SELECT FROM key k JOIN door_of_stay d ON d.stay_id = k.stay_id AND d.lock_id = o.lock_id
      WHERE k.stay_id = o.stay_id AND ${SAME_KEY})`;

/** Written cards of live stays whose zones aren't those of the stay, with the zones that the stay lacks. */
const CARDS = `SELECT c.id, c.stay_id AS "stayId", lost.zones
  FROM card c JOIN stay s ON s.hotel_id = $1 AND s.id = c.stay_id AND s.state IN ('reserved', 'checked_in')
  CROSS JOIN LATERAL (SELECT coalesce(array_agg(z ORDER BY z), '{}') AS zones FROM unnest(c.zones) AS z
    WHERE NOT EXISTS (SELECT FROM zone_of_stay v WHERE v.stay_id = s.id AND v.zone_id = z)) lost
  WHERE c.hotel_id = $1 AND ($2::int[] IS NULL OR c.stay_id = ANY ($2::int[])) AND c.state = 'active' AND c.kind = 'guest'
    AND NOT c.over_the_air AND c.zones <> '{}' AND c.revoked_zones <> lost.zones
  ORDER BY c.id`;

/**
 * Makes the keys of stays (null: all of the hotel) open the common doors of their zones and no others: cards by number,
 * codes and faces are sent to the doors' locks or taken back there, and written cards are refused where they carry a zone
 * that their stay no longer has. A code that another key has at a door stays away from it; `readStayKeys` shows that.
 * The caller has checked the permission for what caused it.
 */
export async function fitKeysToZones(scope: Scope, tx: Transaction, stayIds: readonly number[] | null): Promise<void> {
  const [hotel] = await tx.sql.rows<{ zones: boolean }>(
    `SELECT EXISTS (SELECT FROM zone WHERE hotel_id = $1) AS zones`,
  );
  if (!hotel?.zones) return;
  const stays = stayIds === null ? null : [...stayIds];
  const surplus = await tx.sql.rows<{ id: number }>(SURPLUS, stays);
  if (surplus.length > 0) {
    await revokeCredentials(scope, tx, { id: { in: surplus.map(({ id }) => id) } }, "zone_left");
  }
  const missing = await tx.sql.rows<{ lockId: number; credentialId: number }>(
    MISSING,
    stays,
    scope.now().toISOString(),
  );
  for (const { lockId, credentialId } of missing) await grantAtDoor(scope, tx, lockId, credentialId);
  await fitCards(scope, tx, stays);
}

/** Locks the stay of a key ($2) against its check-out, if it is live. */
const LIVE_STAY_OF_KEY = `SELECT s.id FROM stay s JOIN credential c ON c.hotel_id = $1 AND c.stay_id = s.id
  WHERE s.hotel_id = $1 AND c.id = $2::int AND s.state IN ('reserved', 'checked_in') FOR NO KEY UPDATE OF s`;

/** Grants a key of a stay at a common door, for the period that it has at the room. */
async function grantAtDoor(scope: Scope, tx: Transaction, lockId: number, credentialId: number): Promise<void> {
  // The party may have left, or the key may have ended, since the missing keys were read.
  const [stay] = await tx.sql.rows<{ id: number }>(LIVE_STAY_OF_KEY, credentialId);
  const credential = await tx.db.credential.findFirstOrThrow({ where: { id: credentialId } });
  if (!stay || credential.state === "revoking" || credential.state === "revoked") return;
  const { validFrom, validTo, codeHash, passcodeId, cardId } = credential;
  const hash = codeHash && Buffer.from(codeHash);
  const window = { validFrom, validTo };
  if (hash && (await isCodeUsed(tx, lockId, [hash], window, passcodeId ?? 0))) return;
  if (cardId !== null) {
    const { uid } = await tx.db.card.findFirstOrThrow({ where: { id: cardId }, select: { uid: true } });
    if ((await locksRefusing(scope, tx, uid, [lockId])).length > 0) return;
  }
  await grantCredential(scope, tx, { id: lockId, roomId: null }, await subjectOf(scope, tx, credential), window);
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

/** Refuses the zone records of written cards whose stay lost the zone, and lets those pass whose stay has it again. */
async function fitCards(scope: Scope, tx: Transaction, stayIds: number[] | null): Promise<void> {
  const cards = await tx.sql.rows<{ id: number; stayId: number; zones: number[] }>(CARDS, stayIds);
  for (const { id, zones } of cards) {
    const data = { revokedZones: zones, zonesRevokedAt: zones.length > 0 ? scope.now() : null };
    const card = await tx.db.card.update({ where: { id }, data });
    await refuseLostZones(scope, tx, card);
  }
  const changed = [...new Set(cards.map(({ stayId }) => stayId))];
  await updateRewriteMarksOfStays(scope, tx, stayIds ?? changed);
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
  const missing = await scope.sql.rows(MISSING, null, scope.now().toISOString());
  const surplus = await scope.sql.rows(SURPLUS, null);
  const cards = await scope.sql.rows(CARDS, null);
  return missing.length + surplus.length + cards.length > 0;
}
