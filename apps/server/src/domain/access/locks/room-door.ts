import { DomainError } from "@innkey/shared/errors";
import type { Scope } from "../../../kernel/scope.ts";
import type { Unit } from "../../../kernel/unit.ts";
import { hangOnDoor, leaveDoor } from "./door-change.ts";

/** Lock data that a person enters for a room. */
export interface DoorLock {
  /** upper-case hex with colons */
  mac: string;
  bluetoothName: string;
}

export function lockOf(unit: Unit, roomId: number): Promise<DoorLock | null> {
  return unit.db.lock.findFirst({ where: { roomId }, select: { mac: true, bluetoothName: true } });
}

/** Inserts the locks of new rooms. @throws address_taken */
export async function insertLocks(
  scope: Scope,
  unit: Unit,
  doors: readonly { roomId: number; lock: DoorLock }[],
): Promise<void> {
  const { hotelId } = scope;
  const createdAt = scope.now();
  await unit.db.lock.createMany({ data: doors.map(({ roomId, lock }) => ({ hotelId, ...lock, roomId, createdAt })) });
}

/**
 * Makes `lock` the lock of a room's door; null leaves the door without one. A removed lock keeps its records and may be
 * assigned to another door later; credentials granted for this door end. @throws name_taken for a lock that is on
 * another room's door
 */
export async function hangLock(scope: Scope, unit: Unit, roomId: number, lock: DoorLock | null): Promise<void> {
  const existing =
    lock && (await unit.db.lock.findFirst({ where: { mac: lock.mac }, select: { id: true, roomId: true } }));
  if (lock && existing && existing.roomId !== null && existing.roomId !== roomId) {
    throw new DomainError("name_taken", { name: lock.mac }, { "lock.mac": { key: "validation.macTaken" } });
  }
  const former = await unit.db.lock.findFirst({
    where: { roomId },
    select: { id: true, roomId: true, sequenceFrom: true },
  });
  if (former && former.id !== existing?.id) await leaveDoor(scope, unit, former);
  if (!lock) return;
  if (existing) {
    await unit.db.lock.updateMany({ where: { id: existing.id }, data: { bluetoothName: lock.bluetoothName } });
    if (existing.roomId === null) await hangOnDoor(scope, unit, existing.id, roomId);
  } else {
    const data = { hotelId: scope.hotelId, ...lock, createdAt: scope.now() };
    const { id } = await unit.db.lock.create({ data, select: { id: true } });
    await hangOnDoor(scope, unit, id, roomId);
  }
}
