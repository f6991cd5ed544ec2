import type { LockEvent } from "@innkey/shared/locks/protocol";
import type { Scope } from "../../core/scope.ts";
import type { SystemScopes } from "../../core/system-scope.ts";
import { holdLock } from "./hold-lock.ts";
import type { LockReports } from "./reports.ts";

export type LinkedDriver = "zigbee2mqtt" | "ttlock";
export interface LinkedLockName {
  hotelId: number;
  driver: LinkedDriver;
  address: string;
}

/** Longer than any cloud repeats what was not taken. */
const REMEMBERED_MS = 30 * 86_400_000;

/** Events of locks that don't number them get numbers here, so that they are kept like those of locks that do. */
export class LinkedEvents {
  readonly #scopes: SystemScopes;
  readonly #reports: Pick<LockReports, "events">;

  constructor(scopes: SystemScopes, reports: Pick<LockReports, "events">) {
    this.#scopes = scopes;
    this.#reports = reports;
  }

  /** Keeps an event once; `sameAs` is equal for an event that is reported again. @throws what LockReports.events throws */
  async keep(name: LinkedLockName, event: Omit<LockEvent, "seq">, sameAs: string): Promise<void> {
    const scope = await this.#scopes(name.hotelId);
    const seq = scope && (await numberOf(scope, name, sameAs));
    // An unknown lock's events go the usual way, which ignores them and says so once.
    await this.#reports.events(name, [{ ...event, seq: seq ?? 1 }]);
  }
}

async function numberOf(scope: Scope, { driver, address }: LinkedLockName, sameAs: string): Promise<number | null> {
  const found = await scope.reads.lock.findFirst({
    where: { driver, address, removedAt: null },
    select: { id: true },
  });
  if (!found) return null;
  const lockId = found.id;
  const fingerprint = scope.secrets.lock.fingerprint(sameAs);
  return scope.write(async (unit) => {
    const lock = await holdLock(unit, lockId);
    const known = await unit.db.linkedEvent.findFirst({ where: { lockId, fingerprint } });
    if (known) return Number(known.seq);
    const last = await unit.db.linkedEvent.findFirst({ where: { lockId }, orderBy: { seq: "desc" } });
    const seq = BigInt(Math.max(Number(lock?.eventSeq ?? 0), Number(last?.seq ?? 0)) + 1);
    await unit.db.linkedEvent.create({
      data: { hotelId: scope.hotelId, lockId, seq, fingerprint, createdAt: scope.now() },
    });
    const forgotten = new Date(scope.now().getTime() - REMEMBERED_MS);
    await unit.db.linkedEvent.deleteMany({ where: { lockId, createdAt: { lt: forgotten } } });
    return Number(seq);
  });
}
