import { DomainError, type FieldMessage } from "@innkey/shared/errors";
import type { AssignLocksInput } from "@innkey/shared/schemas/access/locks";
import { v } from "@innkey/shared/schemas/fields";
import type { Scope } from "../../kernel/scope.ts";
import type { Transaction } from "../../kernel/transaction.ts";
import { lockOf, setRoomLock } from "../access/public.ts";
import { lockRooms } from "../property/public.ts";

interface Door {
  roomId: number;
  mac: string;
}

/**
 * Puts locks on the doors of many rooms, all or none. A room that has this lock already stays as it is; one that has
 * another is refused, because its keys would end. @throws no_permission; import_has_errors naming each line's problem
 */
export async function assignLocks(scope: Scope, { doors }: AssignLocksInput): Promise<{ assigned: number }> {
  scope.require("locks.manage");
  return scope.write(async (tx) => {
    const planned = await planDoors(scope, tx, doors);
    for (const { roomId, mac } of planned) {
      const lock = { mac, bluetoothName: (await bluetoothNameOf(tx, mac)) ?? "" };
      await setRoomLock(scope, tx, roomId, lock);
      tx.audit({ action: "room.lock", entity: "room", entityId: roomId, before: { lock: null }, after: { lock } });
    }
    if (planned.length > 0) tx.wholeBoardChanged();
    return { assigned: planned.length };
  });
}

async function bluetoothNameOf(tx: Transaction, mac: string): Promise<string | undefined> {
  return (await tx.db.lock.findFirst({ where: { mac }, select: { bluetoothName: true } }))?.bluetoothName;
}

/** Returns the doors that get a lock. @throws import_has_errors */
async function planDoors(scope: Scope, tx: Transaction, doors: AssignLocksInput["doors"]): Promise<Door[]> {
  const rooms = await tx.db.room.findMany({
    where: { name: { in: doors.map(({ roomName }) => roomName) }, deletedAt: null },
    select: { id: true, name: true },
  });
  const ids = new Map(rooms.map(({ id, name }) => [name, id]));
  await lockRooms(scope, tx, [...ids.values()]);
  const locks = await tx.db.lock.findMany({
    where: { mac: { in: doors.map(({ mac }) => mac) } },
    select: { mac: true, roomId: true },
  });
  const roomOfLock = new Map(locks.map(({ mac, roomId }) => [mac, roomId]));
  const fields: Record<string, FieldMessage> = {};
  const used = new Set<string>();
  const planned: Door[] = [];
  for (const [index, { roomName, mac }] of doors.entries()) {
    const roomId = ids.get(roomName);
    if (used.has(roomName))
      fields[`doors.${index}.roomName`] = { key: "validation.roomTwice", params: { name: roomName } };
    else if (used.has(mac)) fields[`doors.${index}.mac`] = { key: "validation.roomTwice", params: { name: mac } };
    else if (roomId === undefined) fields[`doors.${index}.roomName`] = { key: v.noSuchRoom };
    else {
      const lock = await lockOf(tx, roomId);
      if (lock && lock.mac !== mac) fields[`doors.${index}.roomName`] = { key: v.doorHasLock };
      else if ((roomOfLock.get(mac) ?? roomId) !== roomId) fields[`doors.${index}.mac`] = { key: v.macTaken };
      else if (!lock) planned.push({ roomId, mac });
    }
    used.add(roomName).add(mac);
  }
  if (Object.keys(fields).length > 0) throw new DomainError("import_has_errors", {}, fields);
  return planned;
}
