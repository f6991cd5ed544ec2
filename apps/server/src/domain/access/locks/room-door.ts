import { DomainError } from "@innkey/shared/errors";
import type { Scope } from "../../../kernel/scope.ts";
import type { Transaction } from "../../../kernel/transaction.ts";
import { hangOnDoor, leaveDoor } from "./door-change.ts";

/** Lock data that a person enters for a room. */
export interface DoorLock {
  /** upper-case hex with colons */
  mac: string;
  bluetoothName: string;
}

export function lockOf(tx: Transaction, roomId: number): Promise<DoorLock | null> {
  return tx.db.lock.findFirst({ where: { roomId }, select: { mac: true, bluetoothName: true } });
}

/** Inserts the locks of new rooms. @throws address_taken */
export async function insertLocks(
  scope: Scope,
  tx: Transaction,
  doors: readonly { roomId: number; lock: DoorLock }[],
): Promise<void> {
  const { hotelId } = scope;
  const createdAt = scope.now();
  await tx.db.lock.createMany({ data: doors.map(({ roomId, lock }) => ({ hotelId, ...lock, roomId, createdAt })) });
}

/**
 * Makes `lock` the lock of a room's door; null leaves the door without one. A removed lock keeps its records and may be
 * assigned to another door later; credentials granted for this door end. @throws name_taken for a lock that is on
 * another room's door
 */
export async function hangLock(scope: Scope, tx: Transaction, roomId: number, lock: DoorLock | null): Promise<void> {
  const existing =
    lock && (await tx.db.lock.findFirst({ where: { mac: lock.mac }, select: { id: true, roomId: true } }));
  if (lock && existing && existing.roomId !== null && existing.roomId !== roomId) {
    throw new DomainError("name_taken", { name: lock.mac }, { "lock.mac": { key: "validation.macTaken" } });
  }
  const former = await tx.db.lock.findFirst({
    where: { roomId },
    select: { id: true, roomId: true, sequenceFrom: true },
  });
  if (former && former.id !== existing?.id) await leaveDoor(scope, tx, former);
  if (!lock) return;
  if (existing) {
    await tx.db.lock.updateMany({ where: { id: existing.id }, data: { bluetoothName: lock.bluetoothName } });
    if (existing.roomId === null) await hangOnDoor(scope, tx, existing.id, roomId);
  } else {
    const data = { hotelId: scope.hotelId, ...lock, createdAt: scope.now() };
    const { id } = await tx.db.lock.create({ data, select: { id: true } });
    await hangOnDoor(scope, tx, id, roomId);
  }
}
