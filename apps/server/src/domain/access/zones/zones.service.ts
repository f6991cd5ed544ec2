import { MAX_ZONES } from "@innkey/shared/cards/record";
import { DomainError } from "@innkey/shared/errors";
import type * as schema from "@innkey/shared/schemas/access/zones";
import type { z } from "zod";
import type { Scope } from "../../../kernel/scope.ts";
import { changesOf, type Transaction } from "../../../kernel/transaction.ts";
import { selectStayForUpdate } from "../../stays/public.ts";
import { fitStaffCards } from "../cards/card-doors.ts";
import { roomsWithStaleMarks, updateRewriteMarks } from "../cards/rewrites.ts";
import { checkName } from "../doors/doors.service.ts";
import { fitKeysToZones } from "./stay-zones.ts";
import { updateLockZones } from "./update-lock-zones.ts";

type Input<S extends z.ZodType> = z.infer<S>;

const LIST = `SELECT z.id, z.name, z.kind::text AS kind, z.every_guest AS "everyGuest", z.is_extra AS "isExtra",
    (SELECT coalesce(json_agg(json_build_object('id', g.id, 'name', g.name) ORDER BY g.sort, g.name), '[]')
       FROM zone_group zg JOIN room_group g ON g.id = zg.group_id WHERE zg.zone_id = z.id) AS groups,
    (SELECT coalesce(json_agg(json_build_object('id', d.id, 'name', d.name,
        'confirmed', CASE WHEN l.id IS NOT NULL THEN l.driver <> 'mqtt' OR (l.configured_at IS NOT NULL AND x.confirmed_at IS NOT NULL) END) ORDER BY d.name), '[]')
       FROM zone_door zd JOIN door d ON d.id = zd.door_id AND d.deleted_at IS NULL
       LEFT JOIN lock l ON l.hotel_id = z.hotel_id AND l.door_id = d.id
       LEFT JOIN lock_zone x ON x.lock_id = l.id AND x.zone_id = z.id
      WHERE zd.zone_id = z.id) AS doors,
    ARRAY(SELECT coalesce(r.name, d.name, l.mac) FROM lock_zone x JOIN lock l ON l.id = x.lock_id
       LEFT JOIN door d ON d.id = l.door_id LEFT JOIN room r ON r.id = l.room_id
      WHERE x.zone_id = z.id AND x.left_at IS NOT NULL ORDER BY 1) AS leaving
  FROM zone z WHERE z.hotel_id = $1 AND z.deleted_at IS NULL AND $2::int[] IS NULL
  ORDER BY z.kind, z.name, z.id`;

/** Lists the hotel's zones by kind; staff of certain rooms see none, like common doors. @throws no_permission */
export async function list(scope: Scope): Promise<schema.ZoneRow[]> {
  scope.require("locks.view");
  return scope.sql.rows<schema.ZoneRow>(LIST, scope.roomIds);
}

/**
 * Makes a zone, or changes the one with `input.id`. Locks get or lose its key, and the keys of all stays follow: those in
 * locks' lists by themselves, written cards when they are written again. @throws no_permission, name_taken; not_found for
 * the zone, a door or a group; invalid_input for a door that would be in too many zones
 */
export async function save(scope: Scope, input: schema.ZoneInput): Promise<Input<typeof schema.zoneRef>> {
  scope.require("locks.manage");
  const { id, doorIds: doors, groupIds: groups, ...data } = input;
  const doorIds = [...new Set(doors)].sort((a, b) => a - b);
  const groupIds = [...new Set(groups)].sort((a, b) => a - b);
  return scope.write(async (tx) => {
    await checkName(tx, "zone", data.name, id);
    const before = id === undefined ? null : await readForUpdate(tx, id);
    await checkParts(tx, doorIds, groupIds);
    const { hotelId } = scope;
    const zone = before
      ? await tx.db.zone.update({ where: { id: before.id }, data })
      : await tx.db.zone.create({ data: { hotelId, ...data, createdAt: scope.now() } });
    const zoneId = zone.id;
    await tx.db.zoneDoor.deleteMany({ where: { zoneId, doorId: { notIn: doorIds } } });
    await tx.db.zoneGroup.deleteMany({ where: { zoneId, groupId: { notIn: groupIds } } });
    await tx.db.zoneDoor.createMany({
      data: doorIds.map((doorId) => ({ hotelId, zoneId, doorId })),
      skipDuplicates: true,
    });
    await tx.db.zoneGroup.createMany({
      data: groupIds.map((groupId) => ({ hotelId, zoneId, groupId })),
      skipDuplicates: true,
    });
    await checkZonesPerDoor(tx, doorIds);
    await applyZones(scope, tx);
    const entry = { entity: "zone", entityId: zoneId };
    const after = { ...data, doorIds, groupIds };
    if (!before) tx.audit({ action: "zone.create", ...entry, after });
    else {
      const { id: _id, ...former } = before;
      const changes = changesOf(former, after);
      if (changes) tx.audit({ action: "zone.update", ...entry, ...changes });
    }
    return { zoneId };
  });
}

/**
 * Removes a zone: no key opens its doors by it any more, as soon as their locks have confirmed. @throws no_permission,
 * not_found
 */
export async function remove(
  scope: Scope,
  { zoneId }: Input<typeof schema.zoneRef>,
): Promise<Input<typeof schema.zoneRef>> {
  scope.require("locks.manage");
  return scope.write(async (tx) => {
    const { id: _id, ...before } = await readForUpdate(tx, zoneId);
    await tx.db.zoneDoor.deleteMany({ where: { zoneId } });
    await tx.db.zoneGroup.deleteMany({ where: { zoneId } });
    await tx.db.stayZone.deleteMany({ where: { zoneId } });
    await tx.db.cardZone.deleteMany({ where: { zoneId } });
    await tx.db.zone.update({ where: { id: zoneId }, data: { deletedAt: scope.now() } });
    await applyZones(scope, tx);
    tx.audit({ action: "zone.remove", entity: "zone", entityId: zoneId, before });
    return { zoneId };
  });
}

/**
 * Sends the zones' keys to locks and makes the keys of all stays, and the marks of their cards, follow: as many as fit into
 * a transaction, the rest within a minute by a job.
 */
async function applyZones(scope: Scope, tx: Transaction): Promise<void> {
  await updateLockZones(scope, tx);
  await fitKeysToZones(scope, tx, null);
  await fitStaffCards(scope, tx);
  const rooms = await tx.db.occupancy.findMany({
    where: { state: "in_house", stay: { cards: { some: { state: "active", overTheAir: false } } } },
    select: { roomId: true },
  });
  tx.boardChanged(rooms.map(({ roomId }) => roomId));
  await updateRewriteMarks(scope, tx, await roomsWithStaleMarks(scope, tx.sql));
}

type StoredZone = Omit<Required<schema.ZoneInput>, "id"> & { id: number };

/** @throws not_found */
async function readForUpdate(tx: Transaction, zoneId: number): Promise<StoredZone> {
  await tx.sql.rows("SELECT id FROM zone WHERE hotel_id = $1 AND id = $2::int FOR UPDATE", zoneId);
  const zone = await tx.db.zone.findFirst({
    where: { id: zoneId, deletedAt: null },
    include: { doors: { orderBy: { doorId: "asc" } }, groups: { orderBy: { groupId: "asc" } } },
  });
  if (!zone) throw new DomainError("not_found");
  const { id, name, kind, everyGuest, isExtra, doors, groups } = zone;
  return {
    ...{ id, name, kind, everyGuest, isExtra },
    doorIds: doors.map(({ doorId }) => doorId),
    groupIds: groups.map(({ groupId }) => groupId),
  };
}

/** @throws not_found */
async function checkParts(tx: Transaction, doorIds: number[], groupIds: number[]): Promise<void> {
  const doors = await tx.db.door.count({ where: { id: { in: doorIds }, deletedAt: null } });
  const groups = await tx.db.roomGroup.count({ where: { id: { in: groupIds } } });
  if (doors < doorIds.length || groups < groupIds.length) throw new DomainError("not_found");
}

/** A lock has room for the keys of a few zones only. @throws invalid_input naming the door */
async function checkZonesPerDoor(tx: Transaction, doorIds: number[]): Promise<void> {
  const [full] = await tx.sql.rows<{ name: string }>(
    `SELECT d.name FROM zone_door zd JOIN door d ON d.id = zd.door_id
      WHERE zd.hotel_id = $1 AND zd.door_id = ANY ($2::int[]) GROUP BY d.id HAVING count(*) > ${MAX_ZONES} LIMIT 1`,
    doorIds,
  );
  if (!full) return;
  const params = { name: full.name, max: MAX_ZONES };
  throw new DomainError("invalid_input", {}, { doorIds: { key: "validation.zonesOfDoor", params } });
}

/**
 * Sets the zones that a stay has as extras. Its keys follow; its written cards have to be written again for a new zone.
 * @throws no_permission; not_found for the stay, or a zone that isn't offered as an extra; state_conflict for a stay that
 * ended
 */
export async function setStayZones(
  scope: Scope,
  input: Input<typeof schema.stayZonesInput>,
): Promise<Input<typeof schema.stayZonesSaved>> {
  scope.require("stays.manage");
  const zoneIds = [...new Set(input.zoneIds)].sort((a, b) => a - b);
  return scope.write(async (tx) => {
    const { id: stayId } = await selectStayForUpdate(scope, tx, input.stayId, "reserved", "checked_in");
    const offered = await tx.db.zone.count({ where: { id: { in: zoneIds }, isExtra: true, deletedAt: null } });
    if (offered < zoneIds.length) throw new DomainError("not_found");
    const rows = await tx.db.stayZone.findMany({ where: { stayId }, orderBy: { zoneId: "asc" } });
    const changes = changesOf({ zoneIds: rows.map(({ zoneId }) => zoneId) }, { zoneIds });
    if (!changes) return { stayId, zoneIds };
    await tx.db.stayZone.deleteMany({ where: { stayId, zoneId: { notIn: zoneIds } } });
    await tx.db.stayZone.createMany({
      data: zoneIds.map((zoneId) => ({ hotelId: scope.hotelId, stayId, zoneId })),
      skipDuplicates: true,
    });
    await fitKeysToZones(scope, tx, [stayId]);
    tx.audit({ action: "stay.zones", entity: "stay", entityId: stayId, ...changes });
    return { stayId, zoneIds };
  });
}
