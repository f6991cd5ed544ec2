import { DomainError } from "@innkey/shared/errors";
import type { Scope } from "../../core/scope.ts";
import type { Unit } from "../../core/unit.ts";

/** What a person enters of a room's lock. */
export interface DoorLock {
  /** upper-case hex with colons */
  mac: string;
  bluetoothName: string;
}

export function lockOf(unit: Unit, roomId: number): Promise<DoorLock | null> {
  return unit.db.lock.findFirst({ where: { roomId }, select: { mac: true, bluetoothName: true } });
}

/**
 * Makes `lock` the lock of a room's door; null leaves the door without one. A lock taken off keeps its records and may
 * hang on another door later. @throws name_taken for a lock that is on another room's door
 */
export async function hangLock(scope: Scope, unit: Unit, roomId: number, lock: DoorLock | null): Promise<void> {
  const known =
    lock && (await unit.db.lock.findFirst({ where: { mac: lock.mac }, select: { id: true, roomId: true } }));
  if (lock && known && known.roomId !== null && known.roomId !== roomId) {
    throw new DomainError("name_taken", { name: lock.mac }, { "lock.mac": { key: "validation.macTaken" } });
  }
  await unit.db.lock.updateMany({ where: { roomId, id: { not: known?.id ?? 0 } }, data: { roomId: null } });
  if (!lock) return;
  if (known) {
    await unit.db.lock.updateMany({ where: { id: known.id }, data: { roomId, bluetoothName: lock.bluetoothName } });
  } else {
    await unit.db.lock.create({ data: { hotelId: scope.hotelId, roomId, ...lock } });
  }
}
