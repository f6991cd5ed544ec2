import type { LockDriver } from "@innkey/shared/enums";
import type { Scope, SystemScopes } from "../../../kernel/scope.ts";
import { selectLockForUpdate } from "../lock-commands/commands.ts";
import type { LockReports, ReceivedEvent } from "./driver.ts";

/** Drivers of locks that another system reports about. */
export type LinkedDriver = Exclude<LockDriver, "mqtt">;

export interface LinkedLockName {
  hotelId: number;
  driver: LinkedDriver;
  address: string;
}

/** How long events are remembered, in milliseconds: longer than any cloud repeats undelivered events. */
const REMEMBERED_MS = 30 * 86_400_000;

/** Stores events of locks that don't number them. */
export interface LinkedEvents {
  /**
   * Stores an event once. `sameAs` is equal for an event that is reported again, in whichever process. With `echoMs`,
   * events with the same `sameAs` count as one only within that time, because a lock that does the same thing twice
   * sends equal messages. @throws the errors of LockReports.events
   */
  store(name: LinkedLockName, event: Omit<ReceivedEvent, "seq">, sameAs: string, echoMs?: number): Promise<void>;
}

/** Numbers the events, so that they are stored like those of other locks. */
export const createLinkedEvents = (scopes: SystemScopes, reports: Pick<LockReports, "events">): LinkedEvents => ({
  async store(name, event, sameAs, echoMs) {
    const scope = await scopes(name.hotelId);
    const seq = scope && (await assignNumber(scope, name, toIdentity(sameAs, Date.parse(event.at), echoMs)));
    // Events of an unregistered lock are passed on too: `events` drops them and logs the lock once.
    await reports.events(name, [{ ...event, seq: seq ?? 1 }]);
  },
});

interface Identity {
  sameAs: string;
  /** the identity of an event that this one may echo, if that event was stored after `after` */
  echo: { of: string; after: Date } | null;
}

/** With `echoMs`, the identity includes the time slice of the event. An echo may fall into the next slice. */
function toIdentity(sameAs: string, atMs: number, echoMs: number | undefined): Identity {
  if (echoMs === undefined) return { sameAs, echo: null };
  const timeSlice = Math.floor(atMs / echoMs);
  return {
    sameAs: `${timeSlice} ${sameAs}`,
    echo: { of: `${timeSlice - 1} ${sameAs}`, after: new Date(atMs - echoMs) },
  };
}

async function assignNumber(
  scope: Scope,
  { driver, address }: LinkedLockName,
  { sameAs, echo }: Identity,
): Promise<number | null> {
  const lockRow = await scope.reads.lock.findFirst({
    where: { driver, address, deletedAt: null },
    select: { id: true },
  });
  if (!lockRow) return null;
  const lockId = lockRow.id;
  const { lock: box } = scope.secrets;
  return scope.write(async (tx) => {
    const lock = await selectLockForUpdate(tx, lockId);
    const existing = await tx.db.linkedEvent.findFirst({
      where: {
        lockId,
        OR: [
          { fingerprint: { in: box.fingerprints(sameAs) } },
          ...(echo ? [{ fingerprint: { in: box.fingerprints(echo.of) }, createdAt: { gt: echo.after } }] : []),
        ],
      },
    });
    if (existing) return Number(existing.seq);
    const last = await tx.db.linkedEvent.findFirst({ where: { lockId }, orderBy: { seq: "desc" } });
    // Stored events are numbered from the lock's base.
    const lastSeq = lock ? Number(lock.eventSeq - lock.eventBase) : 0;
    const seq = BigInt(Math.max(lastSeq, Number(last?.seq ?? 0)) + 1);
    await tx.db.linkedEvent.create({
      data: { hotelId: scope.hotelId, lockId, seq, fingerprint: box.fingerprint(sameAs), createdAt: scope.now() },
    });
    const expiredBefore = new Date(scope.now().getTime() - REMEMBERED_MS);
    await tx.db.linkedEvent.deleteMany({ where: { lockId, createdAt: { lt: expiredBefore } } });
    return Number(seq);
  });
}

/**
 * Returns the slot of the newest credential with this code on a TTLock lock, or null if the console did not issue it.
 */
export async function slotOfCode(
  scopes: SystemScopes,
  hotelId: number,
  address: string,
  code: string,
): Promise<number | null> {
  const scope = await scopes(hotelId);
  const credential = await scope?.reads.credential.findFirst({
    where: {
      codeHash: { in: scope.secrets.code.fingerprints(code) },
      lock: { driver: "ttlock", address, deletedAt: null },
    },
    orderBy: { id: "desc" },
    select: { id: true },
  });
  return credential?.id ?? null;
}
