import type { LockCommandName } from "@innkey/shared/locks/protocol";
import { z } from "zod";
import type { Scope, SystemScopes } from "../../../kernel/scope.ts";
import type { Transaction } from "../../../kernel/transaction.ts";
import { credentialContent } from "../credentials/credential-content.ts";
import { revokeCredentials, sendCredential } from "../credentials/credentials.ts";
import { selectLockForUpdate } from "../lock-commands/commands.ts";
import { isSameItem, storeUnmanaged, type UnmanagedItem, unmanagedOf } from "../lock-commands/compare-inventory.ts";
import type { DriverLock } from "./driver.ts";

/** Users of a Zigbee lock are numbered from 0. We never use 0, because many locks store their master code there. */
const FIRST_INDEX = 1;
const LAST_INDEX = 249;

export type ZigbeeUserStatus = "available" | "enabled" | "disabled";

/** The command about a code that a Zigbee lock has not yet answered, including one that waits for another try. */
export interface OpenCodeCommand {
  commandId: string;
  type: LockCommandName;
  userIndex: number | null;
  /** status that the lock last reported for this user; empty: none */
  lastStatus: string;
  /** whether the code's period had begun when it was sent, so that it was sent enabled */
  enabled: boolean;
  sentAtMs: number;
}

/**
 * Commands that a lock's message may answer. A remote unlock can be open beside a code command, because it overtakes.
 */
interface OpenCommands {
  code: OpenCodeCommand | null;
  unlockId: string | null;
}

/**
 * The report of a remote unlock and the new state of the bolt arrive in any order, and either of them ends the command.
 */
const UNLOCK_MEMORY = "interval '10 s'";

/** Name of a code that the console did not set: the lock knows it only by the number of its user. */
export const nameOfUser = (userIndex: number): string => `#${userIndex}`;

const foreignCode = (userIndex: number): UnmanagedItem => ({
  ...{ slot: null, kind: "passcode", name: nameOfUser(userIndex) },
  ...{ validFrom: null, validTo: null, adopted: false, heardAt: null },
});

/** zigbee2mqtt repeats cached states, so a user that was just freed may be reported as occupied for this long. */
const FREED_MEMORY_MS = 60_000;

/** Notification that a lock was assigned a zigbee2mqtt name. */
export const zigbeeNameNotification = z.object({
  topic: z.literal("zigbee-lock"),
  hotelId: z.int(),
  address: z.string(),
});

/**
 * Notifies the zigbee2mqtt driver at commit, so that it processes what it received under that name before the
 * registration.
 */
export async function notifyNameAssigned(tx: Transaction, address: string): Promise<void> {
  await tx.sql.rows(
    "SELECT pg_notify('innkey', jsonb_build_object('topic', 'zigbee-lock', 'hotelId', $1::int, 'address', $2::text)::text)::text",
    address,
  );
}

/** Maps users of Zigbee locks to credentials, and finds the commands that their messages answer. */
export class ZigbeeLocks {
  readonly #scopes: SystemScopes;
  /** when users were freed, by hotel, address and index; milliseconds of the monotonic clock */
  readonly #freedAt = new Map<string, number>();

  constructor(scopes: SystemScopes) {
    this.#scopes = scopes;
  }

  /**
   * Returns the user index of a credential on the lock, or assigns the lowest free one below `users`. Returns null if
   * the lock is full.
   */
  async assignUser(lock: DriverLock, credentialId: number, users: number): Promise<number | null> {
    const scope = await this.#scopes(lock.hotelId);
    if (!scope) return null;
    return scope.write(async (tx) => {
      await selectLockForUpdate(tx, lock.id);
      const slot = await tx.db.zigbeeSlot.findFirst({ where: { lockId: lock.id, credentialId } });
      if (slot) return slot.userIndex;
      const usedSlots = await tx.db.zigbeeSlot.findMany({ where: { lockId: lock.id }, select: { userIndex: true } });
      const usedIndexes = new Set(usedSlots.map(({ userIndex }) => userIndex));
      for (let userIndex = FIRST_INDEX; userIndex < users && userIndex <= LAST_INDEX; userIndex += 1) {
        if (usedIndexes.has(userIndex)) continue;
        await tx.db.zigbeeSlot.create({
          data: { hotelId: lock.hotelId, lockId: lock.id, userIndex, credentialId },
        });
        return userIndex;
      }
      return null;
    });
  }

  /** Returns the user index of a credential, or null if it never had one on the lock. */
  async findUser(lock: DriverLock, credentialId: number): Promise<number | null> {
    const scope = await this.#scopes(lock.hotelId);
    const row = await scope?.reads.zigbeeSlot.findFirst({ where: { lockId: lock.id, credentialId } });
    return row?.userIndex ?? null;
  }

  /** Returns the credential behind a user of the lock, or null if the console did not create that user. */
  async findCredential(hotelId: number, address: string, userIndex: number): Promise<number | null> {
    const scope = await this.#scopes(hotelId);
    const row = await scope?.reads.zigbeeSlot.findFirst({
      where: { userIndex, lock: { driver: "zigbee2mqtt", address, deletedAt: null } },
    });
    return row?.credentialId ?? null;
  }

  async findOpenCommands(hotelId: number, address: string): Promise<OpenCommands> {
    const scope = await this.#scopes(hotelId);
    const rows = await scope?.sql.rows<OpenCodeCommand>(
      `SELECT k.id::text AS "commandId", k.type::text AS type, z.user_index AS "userIndex", coalesce(z.status, '') AS "lastStatus",
         coalesce(t.valid_from <= k.sent_at, true) AS enabled,
         (extract(epoch FROM coalesce(k.sent_at, k.created_at)) * 1000)::float8 AS "sentAtMs"
       FROM lock l JOIN lock_command k ON k.lock_id = l.id
         AND ((k.state IN ('queued', 'sent') AND k.tries > 0)
           OR (k.type = 'unlock' AND k.state IN ('acknowledged', 'failed') AND k.ended_at > $3::timestamptz - ${UNLOCK_MEMORY}))
       LEFT JOIN credential t ON t.id = k.credential_id
       LEFT JOIN zigbee_slot z ON z.lock_id = l.id AND z.credential_id = k.credential_id
       WHERE l.hotel_id = $1 AND l.driver = 'zigbee2mqtt' AND l.address = $2 AND l.deleted_at IS NULL
       ORDER BY k.seq`,
      address,
      scope.now().toISOString(),
    );
    return {
      code: rows?.find(({ type }) => type !== "unlock") ?? null,
      unlockId: rows?.findLast(({ type }) => type === "unlock")?.commandId ?? null,
    };
  }

  /** Checks whether a lock has not answered a command. */
  async isUnanswered(lock: DriverLock, commandId: string): Promise<boolean> {
    const scope = await this.#scopes(lock.hotelId);
    const where = { id: commandId, lockId: lock.id, state: { in: ["queued" as const, "sent" as const] } };
    return (await scope?.reads.lockCommand.findFirst({ where, select: { id: true } })) != null;
  }

  /**
   * Stores the status that the lock reported for its users. Occupied users that this console did not create are not
   * changed, and staff get an alert about them.
   */
  async storeUsers(hotelId: number, address: string, users: ReadonlyMap<number, ZigbeeUserStatus>): Promise<void> {
    const scope = await this.#scopes(hotelId);
    const where = { driver: "zigbee2mqtt" as const, address, deletedAt: null };
    const lock = await scope?.reads.lock.findFirst({ where, select: { id: true } });
    if (!scope || !lock) return;
    await scope.write(async (tx) => {
      const row = await selectLockForUpdate(tx, lock.id);
      if (!row) return;
      const slots = await tx.db.zigbeeSlot.findMany({ where: { lockId: lock.id } });
      const foreign: UnmanagedItem[] = [];
      const freed: UnmanagedItem[] = [];
      for (const [userIndex, status] of users) {
        const slot = slots.find((candidate) => candidate.userIndex === userIndex);
        const where = { lockId: lock.id, userIndex };
        if (status === "available") freed.push(foreignCode(userIndex));
        if (slot?.status === status) continue;
        if (slot && slot.credentialId === null && status === "available") {
          await tx.db.zigbeeSlot.deleteMany({ where });
        } else if (slot) {
          await tx.db.zigbeeSlot.updateMany({ where, data: { status } });
        } else if (status !== "available" && userIndex >= 0 && userIndex <= LAST_INDEX) {
          if (this.#isJustFreed(hotelId, address, userIndex)) continue;
          await tx.db.zigbeeSlot.create({ data: { hotelId, ...where, credentialId: null, status } });
          foreign.push(foreignCode(userIndex));
        }
      }
      const before = unmanagedOf(row);
      const remaining = before.filter((item) => !freed.some((other) => isSameItem(other, item)));
      const added = foreign.filter((item) => !remaining.some((other) => isSameItem(other, item)));
      if (remaining.length < before.length || added.length > 0)
        await storeUnmanaged(scope, tx, row, [...remaining, ...added]);
    });
  }

  /** Frees a user index after the lock has deleted the user. */
  async freeUser(hotelId: number, address: string, userIndex: number): Promise<void> {
    const now = performance.now();
    for (const [key, at] of this.#freedAt) if (now - at > FREED_MEMORY_MS) this.#freedAt.delete(key);
    this.#freedAt.set(`${hotelId}/${userIndex}/${address}`, now);
    const scope = await this.#scopes(hotelId);
    await scope?.write((tx) =>
      tx.db.zigbeeSlot.deleteMany({
        where: { userIndex, lock: { driver: "zigbee2mqtt", address, deletedAt: null } },
      }),
    );
  }

  #isJustFreed(hotelId: number, address: string, userIndex: number): boolean {
    return performance.now() - (this.#freedAt.get(`${hotelId}/${userIndex}/${address}`) ?? -Infinity) < FREED_MEMORY_MS;
  }
}

interface DueCode {
  credentialId: number;
  lockId: number;
  act: "begin" | "end";
}

/**
 * Codes whose period has begun while they are disabled on the lock, or has ended while they are still on it. $3: only
 * this credential.
 */
const DUE_CODES = `
  SELECT t.id AS "credentialId", t.lock_id AS "lockId",
    CASE WHEN t.valid_to <= $2::timestamptz THEN 'end' ELSE 'begin' END AS act
  FROM zigbee_slot z
  JOIN credential t ON t.id = z.credential_id AND t.state IN ('queued', 'sent', 'confirmed', 'used', 'failed')
  JOIN lock l ON l.id = t.lock_id AND l.driver = 'zigbee2mqtt' AND l.deleted_at IS NULL
  WHERE z.hotel_id = $1 AND ($3::int IS NULL OR t.id = $3)
    AND (t.valid_to <= $2::timestamptz OR (t.valid_from <= $2::timestamptz AND z.status = 'disabled'))
    AND NOT EXISTS (SELECT FROM lock_command k
      WHERE k.lock_id = l.id AND k.credential_id = t.id AND k.state IN ('queued', 'sent'))
  ORDER BY t.lock_id, t.id LIMIT 200`;

/**
 * Enables and removes codes on Zigbee locks, which store no periods. A code is enabled when its period begins and
 * revoked when it ends; until the lock confirms, it is listed as a key not yet blocked. Returns the number of codes
 * handled.
 */
export async function applyZigbeePeriods(scopes: SystemScopes, hotelId: number): Promise<number> {
  const scope = await scopes(hotelId);
  const due = await scope?.sql.rows<DueCode>(DUE_CODES, scope.now().toISOString(), null);
  if (!scope || !due) return 0;
  for (const code of due) await applyPeriod(scope, code);
  return due.length;
}

async function applyPeriod(scope: Scope, { credentialId, lockId }: DueCode): Promise<void> {
  await scope.write(async (tx) => {
    await selectLockForUpdate(tx, lockId);
    // The credential may have been revoked or extended since the list was read.
    const [due] = await tx.sql.rows<DueCode>(DUE_CODES, scope.now().toISOString(), credentialId);
    if (!due) return;
    if (due.act === "end") {
      await revokeCredentials(scope, tx, { id: credentialId }, "period_over");
      return;
    }
    const credential = await tx.db.credential.findFirst({ where: { id: credentialId } });
    if (credential) await sendCredential(scope, tx, credential, await credentialContent(scope, tx, credential));
  });
}
