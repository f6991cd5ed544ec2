import type { RoomPrices } from "@innkey/shared/quote";
import type { ImportRunInput } from "@innkey/shared/schemas/imports";
import type { RoomInput } from "@innkey/shared/schemas/rooms";
import type { HotelSql } from "../../../kernel/hotel-database.ts";
import type { Scope } from "../../../kernel/scope.ts";
import { createRooms, saveRoom } from "../../desk/public.ts";
import { createGroups, ROOM_PRICES_JSON, writePrices } from "../../property/public.ts";
import { refuseErrors } from "./refuse-errors.ts";
import { type ExistingRoom, readPrices, readRoom } from "./room-rows.ts";
import { type Row, Table } from "./table.ts";

export interface PlannedRoom {
  room: RoomInput;
  /** The room must be created, and its lock too if it has one. */
  brandNew: boolean;
  /** Name of its group; empty keeps the current group. */
  group: string;
  prices: RoomPrices | null;
}

interface HotelRooms {
  rooms: Map<string, ExistingRoom>;
  groups: Map<string, number>;
  /** Locks by address, with the room that they belong to. */
  locks: Map<string, number | null>;
}

async function readHotelRooms(sql: HotelSql): Promise<HotelRooms> {
  const rooms = await sql.rows<ExistingRoom>(
    `SELECT r.id, r.name, r.group_id AS "groupId", r.remark_name AS "remarkName", r.description, r.bulletin, r.notice, r.floor,
            r.sort, r.picture_file_id AS "pictureFileId", ${ROOM_PRICES_JSON} AS prices,
            CASE WHEN l.id IS NOT NULL THEN jsonb_build_object('mac', l.mac, 'bluetoothName', l.bluetooth_name) END AS lock
       FROM room r LEFT JOIN lock l ON l.hotel_id = r.hotel_id AND l.room_id = r.id
      WHERE r.hotel_id = $1 AND r.archived_at IS NULL`,
  );
  const groups = await sql.rows<{ id: number; name: string }>("SELECT id, name FROM room_group WHERE hotel_id = $1");
  const locks = await sql.rows<{ mac: string; roomId: number | null }>(
    'SELECT mac, room_id AS "roomId" FROM lock WHERE hotel_id = $1',
  );
  return {
    rooms: new Map(rooms.map((room) => [room.name, room])),
    groups: new Map(groups.map(({ id, name }) => [name, id])),
    locks: new Map(locks.map(({ mac, roomId }) => [mac, roomId])),
  };
}

/** Plans what each row of a room table would change. */
export async function planRooms(scope: Scope, sql: HotelSql, table: Table): Promise<PlannedRoom[]> {
  const hotelRooms = await readHotelRooms(sql);
  const names = new Set<string>();
  const addresses = new Set<string>();
  return table.rows.flatMap((row): PlannedRoom[] => {
    const existing = hotelRooms.rooms.get(row.cell("name")) ?? null;
    if (existing && table.input.existing === "skip") return [];
    const room = readRoom(row, existing);
    const prices = readPrices(row, existing?.prices ?? null, scope.hotel);
    checkOnce(row, names, "name", row.cell("name"), "imports.problem.nameTwice");
    if (room?.lock && row.cell("mac") !== "") {
      const owner = hotelRooms.locks.get(room.lock.mac) ?? null;
      if (owner !== null && owner !== existing?.id) row.problem("mac", { key: "validation.macTaken" });
      checkOnce(row, addresses, "mac", room.lock.mac, "imports.problem.macTwice");
    }
    const group = row.cell("group");
    if (group.length > 60) row.problem("group", { key: "validation.tooLong", params: { max: 60 } });
    if (!room || row.wrong()) return [];
    table.acts[row.index] = existing ? "update" : "create";
    const groupId = hotelRooms.groups.get(group) ?? room.groupId;
    const isNew = group !== "" && !hotelRooms.groups.has(group);
    if (isNew) table.newGroups.add(group);
    const brandNew = !existing && !(room.lock && hotelRooms.locks.has(room.lock.mac));
    return [{ room: { ...room, groupId }, brandNew, group: isNew ? group : "", prices }];
  });
}

function checkOnce(row: Row, used: Set<string>, column: "name" | "mac", value: string, key: string): void {
  if (value !== "" && used.has(value)) row.problem(column, { key });
  used.add(value);
}

/** Imports all rooms of the table with their groups, locks and prices in one transaction. @throws import_has_errors */
export function runRooms(scope: Scope, input: ImportRunInput): Promise<Table> {
  return scope.write(async (tx) => {
    const table = new Table(input);
    const planned = await planRooms(scope, tx.sql, table);
    refuseErrors(table, input);
    const groups = await createGroups(scope, tx, [...table.newGroups]);
    const rooms = planned.map(({ room, group, ...rest }) => ({
      ...rest,
      room: { ...room, groupId: groups.get(group) ?? room.groupId },
    }));
    const ids = await createRooms(
      scope,
      tx,
      rooms.flatMap(({ room, brandNew }) => (brandNew ? [room] : [])),
    );
    const priced = new Map<string, { prices: RoomPrices; roomIds: number[] }>();
    for (const { room, prices } of rooms) {
      const roomId = ids.get(room.name) ?? (await saveRoom(scope, tx, room)).roomId;
      if (!prices) continue;
      const same = priced.get(JSON.stringify(prices));
      if (same) same.roomIds.push(roomId);
      else priced.set(JSON.stringify(prices), { prices, roomIds: [roomId] });
    }
    for (const { prices, roomIds } of priced.values()) await writePrices(scope, tx, roomIds, prices, null);
    tx.audit({
      action: "import.run",
      entity: "import",
      entityId: scope.hotelId,
      after: { kind: "rooms", ...table.counts() },
    });
    tx.boardChanged();
    return table;
  });
}
