import type { LockCommandName } from "@innkey/shared/locks/protocol";
import type { SystemScopes } from "../../core/system-scope.ts";
import type { DriverLock } from "./driver.ts";
import { holdLock } from "./hold-lock.ts";

/** Users of a Zigbee lock are numbered from 0; 0 is left alone, many locks keep their master code there. */
const FIRST_INDEX = 1;
const LAST_INDEX = 249;

export type ZigbeeUserStatus = "available" | "enabled" | "disabled";

/** The command that a Zigbee lock was sent and did not answer yet, also one that is to be sent again. */
export interface AwaitedCommand {
  commandId: string;
  type: LockCommandName;
  userIndex: number | null;
  /** what the lock last said of that user; empty: nothing */
  lastStatus: string;
  /** the code's period has begun */
  begun: boolean;
}

/** Which user of a Zigbee lock stands for which credential, and what its answers are about. */
export class ZigbeeLocks {
  readonly #scopes: SystemScopes;

  constructor(scopes: SystemScopes) {
    this.#scopes = scopes;
  }

  /** The user that a credential has on the lock, the lowest free one if it has none yet; null if the lock is full. */
  async userFor(lock: DriverLock, credentialId: number): Promise<number | null> {
    const scope = await this.#scopes(lock.hotelId);
    if (!scope) return null;
    return scope.write(async (unit) => {
      await holdLock(unit, lock.id);
      const known = await unit.db.zigbeeSlot.findFirst({ where: { lockId: lock.id, credentialId } });
      if (known) return known.userIndex;
      const taken = await unit.db.zigbeeSlot.findMany({ where: { lockId: lock.id }, select: { userIndex: true } });
      const used = new Set(taken.map(({ userIndex }) => userIndex));
      for (let userIndex = FIRST_INDEX; userIndex <= LAST_INDEX; userIndex += 1) {
        if (used.has(userIndex)) continue;
        await unit.db.zigbeeSlot.create({
          data: { hotelId: lock.hotelId, lockId: lock.id, userIndex, credentialId },
        });
        return userIndex;
      }
      return null;
    });
  }

  /** Null if the lock was never told of the credential. */
  async userOf(lock: DriverLock, credentialId: number): Promise<number | null> {
    const scope = await this.#scopes(lock.hotelId);
    const row = await scope?.reads.zigbeeSlot.findFirst({ where: { lockId: lock.id, credentialId } });
    return row?.userIndex ?? null;
  }

  /** What a user of the lock stands for; null if it is none of ours. */
  async credentialOf(hotelId: number, address: string, userIndex: number): Promise<number | null> {
    const scope = await this.#scopes(hotelId);
    const row = await scope?.reads.zigbeeSlot.findFirst({
      where: { userIndex, lock: { driver: "zigbee2mqtt", address, removedAt: null } },
    });
    return row?.credentialId ?? null;
  }

  async awaited(hotelId: number, address: string): Promise<AwaitedCommand | null> {
    const scope = await this.#scopes(hotelId);
    const rows = await scope?.sql.rows<AwaitedCommand>(
      `SELECT k.id::text AS "commandId", k.type::text AS type, z.user_index AS "userIndex", coalesce(z.status, '') AS "lastStatus",
         coalesce(t.valid_from <= $3::timestamptz, true) AS begun
       FROM lock l JOIN lock_command k ON k.lock_id = l.id AND k.state IN ('queued', 'sent') AND k.tries > 0
       LEFT JOIN credential t ON t.id = k.credential_id
       LEFT JOIN zigbee_slot z ON z.lock_id = l.id AND z.credential_id = k.credential_id
       WHERE l.hotel_id = $1 AND l.driver = 'zigbee2mqtt' AND l.address = $2 AND l.removed_at IS NULL
       ORDER BY k.seq LIMIT 1`,
      address,
      scope.now().toISOString(),
    );
    return rows?.[0] ?? null;
  }

  /** Remembers what the lock said of its users. One that is taken and not ours is somebody else's, and left alone. */
  async noteUsers(hotelId: number, address: string, users: ReadonlyMap<number, ZigbeeUserStatus>): Promise<void> {
    const scope = await this.#scopes(hotelId);
    const where = { driver: "zigbee2mqtt" as const, address, removedAt: null };
    const lock = await scope?.reads.lock.findFirst({ where, select: { id: true } });
    if (!scope || !lock) return;
    await scope.write(async (unit) => {
      await holdLock(unit, lock.id);
      const known = await unit.db.zigbeeSlot.findMany({ where: { lockId: lock.id } });
      for (const [userIndex, status] of users) {
        const row = known.find((candidate) => candidate.userIndex === userIndex);
        const place = { lockId: lock.id, userIndex };
        if (row?.status === status) continue;
        if (row && row.credentialId === null && status === "available") {
          await unit.db.zigbeeSlot.deleteMany({ where: place });
        } else if (row) {
          await unit.db.zigbeeSlot.updateMany({ where: place, data: { status } });
        } else if (status !== "available" && userIndex >= 0 && userIndex <= LAST_INDEX) {
          await unit.db.zigbeeSlot.create({ data: { hotelId, ...place, credentialId: null, status } });
        }
      }
    });
  }

  /** The lock has forgotten that user: its number is free again. */
  async free(hotelId: number, address: string, userIndex: number): Promise<void> {
    const scope = await this.#scopes(hotelId);
    await scope?.write((unit) =>
      unit.db.zigbeeSlot.deleteMany({
        where: { userIndex, lock: { driver: "zigbee2mqtt", address, removedAt: null } },
      }),
    );
  }
}
