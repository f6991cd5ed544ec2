import { DomainError } from "@innkey/shared/errors";
import type { AssignGroupInput, GroupInput, GroupOutput } from "@innkey/shared/schemas/property/rooms";
import type { Scope } from "../../../kernel/scope.ts";
import { changesOf, type Transaction } from "../../../kernel/transaction.ts";
import { lockRooms } from "./write-rooms.ts";

const GROUPS = `
  SELECT g.id, g.name, g.sort, count(r.id)::int AS "roomCount"
  FROM room_group g
  LEFT JOIN room r ON r.hotel_id = $1 AND r.group_id = g.id AND r.deleted_at IS NULL
    AND ($2::int[] IS NULL OR r.id = ANY ($2::int[]))
  WHERE g.hotel_id = $1
  GROUP BY g.id ORDER BY g.sort, g.name`;

/**
 * Returns the hotel's groups in their order; `roomCount` counts the rooms that the caller can see. @throws
 * no_permission
 */
export async function list(scope: Scope): Promise<GroupOutput[]> {
  scope.require("rooms.view");
  return scope.sql.rows<GroupOutput>(GROUPS, scope.roomIds);
}

/** Creates a group, or changes the one with `input.id`. @throws no_permission, not_found, name_taken */
export async function save(scope: Scope, { id, ...data }: GroupInput): Promise<{ id: number }> {
  scope.require("rooms.manage");
  return scope.write(async (tx) => {
    const namesake = await tx.db.roomGroup.findFirst({ where: { name: data.name }, select: { id: true } });
    if (namesake && namesake.id !== id) {
      throw new DomainError("name_taken", { name: data.name }, { name: { key: "validation.nameTaken" } });
    }
    if (id === undefined) {
      const created = await tx.db.roomGroup.create({ data: { hotelId: scope.hotelId, ...data } });
      tx.audit({ action: "group.create", entity: "group", entityId: created.id, after: data });
      tx.wholeBoardChanged();
      return { id: created.id };
    }
    const [before] = await tx.sql.rows<{ name: string; sort: number }>(
      "SELECT name, sort FROM room_group WHERE hotel_id = $1 AND id = $2::int FOR UPDATE",
      id,
    );
    if (!before) throw new DomainError("not_found");
    const changes = changesOf(before, data);
    if (changes) {
      await tx.db.roomGroup.updateMany({ where: { id }, data });
      tx.audit({ action: "group.update", entity: "group", entityId: id, ...changes });
      tx.wholeBoardChanged();
    }
    return { id };
  });
}

/**
 * Removes an empty group; deleted rooms are removed from it too. @throws no_permission, not_found; room_in_use while
 * rooms are in it
 */
export async function remove(scope: Scope, id: number): Promise<{ id: number }> {
  scope.require("rooms.manage");
  return scope.write(async (tx) => {
    const [group] = await tx.sql.rows<{ name: string; sort: number; rooms: number }>(
      `SELECT name, sort, (SELECT count(*)::int FROM room
         WHERE hotel_id = $1 AND group_id = $2::int AND deleted_at IS NULL) AS rooms
       FROM room_group WHERE hotel_id = $1 AND id = $2::int FOR UPDATE`,
      id,
    );
    if (!group) throw new DomainError("not_found");
    if (group.rooms > 0) throw new DomainError("room_in_use", { count: group.rooms });
    await tx.db.room.updateMany({ where: { groupId: id }, data: { groupId: null } });
    await tx.db.roomGroup.deleteMany({ where: { id } });
    tx.audit({
      action: "group.remove",
      entity: "group",
      entityId: id,
      before: { name: group.name, sort: group.sort },
    });
    tx.wholeBoardChanged();
    return { id };
  });
}

/**
 * Moves rooms into a group, or with null out of their groups. @throws no_permission; not_found for a room or the group
 */
export async function assignGroup(scope: Scope, { roomIds, groupId }: AssignGroupInput): Promise<{ updated: number }> {
  scope.require("rooms.manage");
  return scope.write(async (tx) => {
    if (groupId !== null) await checkGroup(tx, groupId);
    await lockRooms(scope, tx, roomIds);
    const rooms = await tx.db.room.findMany({ where: { id: { in: roomIds } }, select: { id: true, groupId: true } });
    const moved = rooms.filter((room) => room.groupId !== groupId);
    await tx.db.room.updateMany({ where: { id: { in: moved.map(({ id }) => id) } }, data: { groupId } });
    for (const { id, groupId: from } of moved) {
      tx.audit({
        action: "room.group",
        entity: "room",
        entityId: id,
        before: { groupId: from },
        after: { groupId },
      });
    }
    if (moved.length > 0) tx.boardChanged(moved.map(({ id }) => id));
    return { updated: moved.length };
  });
}

/**
 * Creates groups after the last one and returns their ids by name. The caller must have checked rooms.manage and that
 * the names are free.
 */
export async function createGroups(
  scope: Scope,
  tx: Transaction,
  names: readonly string[],
): Promise<Map<string, number>> {
  const groupIds = new Map<string, number>();
  if (names.length === 0) return groupIds;
  const [last] = await tx.sql.rows<{ sort: number }>(
    "SELECT coalesce(max(sort), 0)::int AS sort FROM room_group WHERE hotel_id = $1",
  );
  for (const [at, name] of names.entries()) {
    const data = { name, sort: Math.min((last?.sort ?? 0) + at + 1, 99_999) };
    const { id } = await tx.db.roomGroup.create({ data: { hotelId: scope.hotelId, ...data }, select: { id: true } });
    tx.audit({ action: "group.create", entity: "group", entityId: id, after: data });
    groupIds.set(name, id);
  }
  return groupIds;
}

/** @throws not_found */
export async function checkGroup(tx: Transaction, groupId: number): Promise<void> {
  const group = await tx.db.roomGroup.findFirst({ where: { id: groupId }, select: { id: true } });
  if (!group) throw new DomainError("not_found");
}
