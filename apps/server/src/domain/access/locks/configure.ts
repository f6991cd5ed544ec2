import { randomBytes } from "node:crypto";
import { DomainError } from "@innkey/shared/errors";
import { type LockArgs, lockArgs } from "@innkey/shared/locks/protocol";
import type { Lock } from "../../../adapters/postgres/generated/client.ts";
import type { Scope } from "../../../kernel/scope.ts";
import type { Transaction } from "../../../kernel/transaction.ts";
import { type ProfileWithKeys, profileInUse, recordKeyOf, siteKeyOf, withKeys } from "../cards/card-keys.ts";
import { blockRevokedOnLocks } from "../cards/refusals.ts";
import { enqueueEach, openArgs } from "../lock-commands/commands.ts";
import { zonesOfLocks } from "../zones/lock-zones.ts";
import { lockSecretContext, openLockSecret } from "./lock-secrets.ts";

/** RFC 4226 requires at least 16 bytes and recommends 20. */
const SECRET_BYTES = 20;

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex").toUpperCase();

/**
 * Sends a lock its configuration: its number, the keys of the cards that may open it, its secret for one-time codes and
 * the lowest card sequence it accepts. Floors only rise, so a lock never accepts again what it already refuses. The
 * floor never exceeds the sequence of a card that is still valid. Returns the command's id. @throws not_found
 */
export async function configureLock(scope: Scope, tx: Transaction, lockId: number): Promise<string> {
  const [commandId] = await configureLocks(scope, tx, [lockId]);
  if (commandId === undefined) throw new DomainError("not_found");
  return commandId;
}

/** Configures many locks at once, even thousands. Returns the ids of the commands, for the locks that exist. */
export async function configureLocks(scope: Scope, tx: Transaction, lockIds: readonly number[]): Promise<string[]> {
  const currentProfile = await profileInUse(scope, tx);
  const locks = await tx.db.lock.findMany({
    where: { id: { in: [...lockIds] }, deletedAt: null },
    orderBy: { id: "asc" },
    select: {
      id: true,
      secretBox: true,
      guestFloor: true,
      configuredAt: true,
      sequenceFrom: true,
      otpFloor: true,
      room: { select: { cardSequence: true } },
    },
  });
  const ids = locks.map(({ id }) => id);
  const queued = await queuedMinSequences(scope, tx, ids);
  const lowest = await lowestSequences(scope, tx, ids);
  const skipped = await skippedCodes(tx, ids);
  const zones = await zonesOfLocks(tx, ids);
  const { timeZone } = await tx.db.hotel.findFirstOrThrow({ select: { timeZone: true } });
  const generations = [currentProfile, ...(await olderKeys(scope, tx, currentProfile.id))];
  const configurations: { lockId: number; args: LockArgs["configure"] }[] = [];
  for (const lock of locks) {
    const args = {
      lockNumber: lock.id,
      block: currentProfile.block,
      keyType: currentProfile.keyType === "B" ? ("B" as const) : ("A" as const),
      keys: generations.map((profile) => keysForLock(profile, lock.id, zones.get(lock.id) ?? [])),
      secret: await secretOf(scope, tx, lock.id, lock.secretBox),
      guestFloor: Math.max(
        lowest.get(lock.id) ?? lock.room?.cardSequence ?? 0,
        lock.guestFloor,
        queued.get(lock.id) ?? 0,
      ),
      sequenceEpoch: epochOf(lock),
      otpNext: Number(lock.otpFloor),
      otpSkipped: skipped.get(lock.id) ?? [],
      timeZone,
    };
    configurations.push({ lockId: lock.id, args });
  }
  // Revoked cards are blocked before the keys are sent, since without keys the lock opens for no card.
  const floors = configurations.map(({ lockId: id, args: { guestFloor } }) => ({ id, guestFloor }));
  await blockRevokedOnLocks(scope, tx, floors);
  const commandIds = await enqueueEach(scope, tx, { type: "configure", subject: "configure" }, configurations);
  for (const [at, { id, configuredAt }] of locks.entries()) {
    if (!configuredAt) await sendFirst(tx, id, commandIds[at] ?? "");
  }
  return commandIds;
}

/** Configures every lock that has been given keys. Returns the number of locks. */
export async function configureAll(scope: Scope, tx: Transaction): Promise<number> {
  const locks = await tx.db.lock.findMany({
    where: { accessHash: { not: null }, deletedAt: null },
    orderBy: { id: "asc" },
    select: { id: true },
  });
  if (locks.length === 0) return 0;
  const commandIds = await configureLocks(
    scope,
    tx,
    locks.map(({ id }) => id),
  );
  return commandIds.length;
}

/** Configures a lock again if the last attempt failed or expired, because it opens for no card without its keys. */
export async function configureAgain(scope: Scope, tx: Transaction, lockId: number): Promise<void> {
  const last = await tx.db.lockCommand.findFirst({
    where: { lockId, type: "configure", state: { not: "superseded" } },
    orderBy: { seq: "desc" },
    select: { state: true },
  });
  if (last?.state === "failed" || last?.state === "expired") await configureLock(scope, tx, lockId);
}

/**
 * Identifies the current run of a door's issue sequence, in seconds of Unix time, so that a later run has a higher
 * number.
 */
export const epochOf = ({ sequenceFrom }: Pick<Lock, "sequenceFrom">): number =>
  sequenceFrom === null ? 0 : Math.floor(sequenceFrom.getTime() / 1000);

/**
 * Moves all other unsent commands of a lock behind this one, because a lock that was never configured understands
 * nothing else.
 */
async function sendFirst(tx: Transaction, lockId: number, commandId: string): Promise<void> {
  await tx.sql.rows(
    `UPDATE lock_command k SET seq = later.seq FROM (
       SELECT waiting.id, nextval(pg_get_serial_sequence('lock_command', 'seq')) AS seq FROM (
         SELECT id FROM lock_command
          WHERE hotel_id = $1 AND lock_id = $2 AND state = 'queued' AND tries = 0 AND id <> $3::uuid ORDER BY seq
       ) waiting
     ) later WHERE k.hotel_id = $1 AND k.id = later.id RETURNING k.id`,
    lockId,
    commandId,
  );
}

/** Returns the earlier key generations that cards in use were written with, newest first. */
async function olderKeys(scope: Scope, tx: Transaction, currentProfileId: number): Promise<ProfileWithKeys[]> {
  const cardsInUse = {
    state: { in: ["pending" as const, "active" as const] },
    overTheAir: false,
    OR: [{ validTo: null }, { validTo: { gt: scope.now() } }],
  };
  const cards = await tx.db.card.findMany({
    where: { ...cardsInUse, zoneProfiles: { isEmpty: false } },
    distinct: ["zoneProfiles"],
    select: { zoneProfiles: true },
  });
  const profiles = await tx.db.cardProfile.findMany({
    where: {
      id: { not: currentProfileId },
      OR: [{ cards: { some: cardsInUse } }, { id: { in: cards.flatMap(({ zoneProfiles }) => zoneProfiles) } }],
    },
    orderBy: { id: "desc" },
  });
  return profiles.map((profile) => withKeys(scope, profile));
}

/**
 * Returns the keys of one generation for one lock. With AES that is never the master key, and no key that can make a card
 * for another door; the old format has the same keys at every door.
 */
function keysForLock(
  { id, siteCode, sectors, keys }: ProfileWithKeys,
  lockNumber: number,
  zones: readonly number[],
): LockArgs["configure"]["keys"][number] {
  const generation = { id, siteCode, sectors };
  if (keys.cipher === "des-cbc") {
    const { sectorKey, desKey, desIv } = keys;
    return { ...generation, cipher: "des-cbc", sectorKey: hex(sectorKey), desKey: hex(desKey), desIv: hex(desIv) };
  }
  const { masterKey } = keys;
  return {
    ...generation,
    cipher: "aes",
    siteKey: hex(siteKeyOf(masterKey)),
    lockKey: hex(recordKeyOf(masterKey, { lock: lockNumber })),
    zones: zones.map((zone) => ({ zone, key: hex(recordKeyOf(masterKey, { zone })) })),
  };
}

async function secretOf(scope: Scope, tx: Transaction, lockId: number, box: Uint8Array | null): Promise<string> {
  if (box) return openLockSecret(scope, lockId, box);
  const secret = hex(randomBytes(SECRET_BYTES));
  const secretBox = scope.secrets.lock.seal(secret, lockSecretContext(scope, lockId));
  await tx.db.lock.update({ where: { id: lockId }, data: { secretBox } });
  return secret;
}

/**
 * Returns, by lock, the counters of one-time codes that were revoked unused. A lock that lost its memory would accept
 * them again.
 */
async function skippedCodes(tx: Transaction, lockIds: readonly number[]): Promise<Map<number, number[]>> {
  const rows = await tx.sql.rows<{ lockId: number; counters: number[] }>(
    `SELECT t.lock_id AS "lockId", json_agg(DISTINCT p.otp_counter ORDER BY p.otp_counter) AS counters
       FROM credential t JOIN passcode p ON p.id = t.passcode_id AND p.type = 'one_time' JOIN lock l ON l.id = t.lock_id
      WHERE t.hotel_id = $1 AND t.lock_id = ANY ($2::int[]) AND t.state IN ('revoking', 'revoked') AND p.otp_counter >= l.otp_floor
      GROUP BY t.lock_id`,
    lockIds,
  );
  return new Map(rows.map(({ lockId, counters }) => [lockId, counters]));
}

/**
 * Returns the lowest sequence among the valid cards of each lock. A card for the next guests may be issued while the
 * current guests still use theirs. Revoked cards above this sequence are refused by number (`blockRevokedOnLocks`).
 */
async function lowestSequences(
  scope: Scope,
  tx: Transaction,
  lockIds: readonly number[],
): Promise<Map<number, number>> {
  const rows = await tx.sql.rows<{ lockId: number; sequence: number }>(
    `SELECT c.lock_number AS "lockId", min(c.sequence) AS sequence FROM card c JOIN lock l ON l.id = c.lock_number
      WHERE c.hotel_id = $1 AND c.lock_number = ANY ($2::int[]) AND c.kind = 'guest' AND NOT c.over_the_air
        AND is_valid_card(c.state, c.valid_to, $3::timestamptz)
        AND (l.sequence_from IS NULL OR c.created_at >= l.sequence_from)
      GROUP BY c.lock_number`,
    lockIds,
    scope.now().toISOString(),
  );
  return new Map(rows.map(({ lockId, sequence }) => [lockId, sequence]));
}

/** Returns the highest floor, by lock, of the raise_floor commands that the lock has not yet acknowledged. */
async function queuedMinSequences(
  scope: Scope,
  tx: Transaction,
  lockIds: readonly number[],
): Promise<Map<number, number>> {
  const commands = await tx.db.lockCommand.findMany({
    where: { lockId: { in: [...lockIds] }, type: "raise_floor", state: { in: ["queued", "sent"] } },
    select: { id: true, lockId: true, argsBox: true },
  });
  const highest = new Map<number, number>();
  for (const { lockId, ...command } of commands) {
    const { floor } = lockArgs.raise_floor.parse(openArgs(scope, command));
    highest.set(lockId, Math.max(highest.get(lockId) ?? 0, floor));
  }
  return highest;
}
