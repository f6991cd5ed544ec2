import { DomainError, type FieldMessage } from "@innkey/shared/errors";
import { readAmount, readInteger } from "@innkey/shared/imports/cells";
import { type ImportColumn, PRICE_COLUMNS } from "@innkey/shared/imports/columns";
import { majorUnit } from "@innkey/shared/money";
import type { RoomPrices } from "@innkey/shared/price-rules";
import type { ImportRunInput } from "@innkey/shared/schemas/data";
import { pricesInput, type RoomInput, roomInput } from "@innkey/shared/schemas/property/rooms";
import { asDomainError } from "../../../kernel/errors.ts";
import type { HotelSql } from "../../../kernel/hotel-database.ts";
import type { HotelContext, Scope } from "../../../kernel/scope.ts";
import { createRooms, saveRoom } from "../../desk/public.ts";
import { checkMinimum, createGroups, withDatesByDay, writePrices } from "../../property/public.ts";
import { parseRow, type Row, refuseErrors, Table } from "./table.ts";

/** Current data of a room that a row can change. */
export type ExistingRoom = Omit<RoomInput, "id"> & { id: number; prices: RoomPrices | null };

const COLUMN_OF: Readonly<Record<string, ImportColumn>> = {
  groupId: "group",
  "lock.mac": "mac",
  "lock.bluetoothName": "bluetoothName",
  depositMinor: "deposit",
  usualMinor: "usual",
  weekendMinor: "weekend",
  renewalMinor: "renewal",
  hourMinor: "hour",
  monthMinor: "month",
  yearMinor: "year",
};
const SAME_NAMED_COLUMNS = [
  "name",
  "floor",
  "sort",
  "remarkName",
  "description",
  "bulletin",
  "mac",
  "bluetoothName",
] as const;

function columnOf(path: string): ImportColumn | null {
  return COLUMN_OF[path] ?? SAME_NAMED_COLUMNS.find((name) => name === path) ?? null;
}

/** Reads a room from the row; an empty cell keeps the existing value. `planRooms` sets its group, by name. */
export function readRoom(row: Row, existing: ExistingRoom | null): RoomInput | null {
  const number = (column: "floor" | "sort"): number => {
    const cell = row.cell(column);
    return cell === "" ? (existing?.[column] ?? 0) : (readInteger(cell) ?? Number.NaN);
  };
  const textOf = (column: "remarkName" | "description" | "bulletin"): string =>
    row.cell(column) || (existing?.[column] ?? "");
  return parseRow(
    row,
    roomInput,
    {
      id: existing?.id,
      name: row.cell("name"),
      groupId: existing?.groupId ?? null,
      remarkName: textOf("remarkName"),
      description: textOf("description"),
      bulletin: textOf("bulletin"),
      notice: existing?.notice ?? "",
      floor: number("floor"),
      sort: number("sort"),
      pictureFileId: existing?.pictureFileId ?? null,
      lock: lockOf(row, existing),
    },
    columnOf,
  );
}

function lockOf(row: Row, existing: ExistingRoom | null): { mac: string; bluetoothName: string } | null {
  const mac = row.cell("mac") || existing?.lock?.mac || "";
  const bluetoothName = row.cell("bluetoothName");
  if (mac === "" && bluetoothName === "") return null;
  return { mac, bluetoothName: bluetoothName || (existing?.lock?.bluetoothName ?? "") };
}

/** Merges the row's prices into the room's; null if the row has none or they are invalid. */
export function readPrices(row: Row, existing: RoomPrices | null, hotel: HotelContext): RoomPrices | null {
  if (PRICE_COLUMNS.every((column) => row.cell(column) === "")) return null;
  const { currency } = hotel;
  const unreadable: string[] = [];
  const amount = (column: (typeof PRICE_COLUMNS)[number], otherwise: number | null): number | null => {
    const cell = row.cell(column);
    if (cell === "") return otherwise;
    const minor = readAmount(cell, currency);
    if (minor === null) {
      unreadable.push(column);
      row.problem(column, { key: "validation.amount" });
    }
    return minor;
  };
  const usualMinor = amount("usual", existing?.usualMinor ?? null);
  const amounts = {
    depositMinor: amount("deposit", existing?.depositMinor ?? 0),
    usualMinor,
    weekendMinor: amount("weekend", existing?.weekendMinor ?? usualMinor),
    renewalMinor: amount("renewal", existing?.renewalMinor ?? null),
    hourMinor: amount("hour", existing?.hourMinor ?? null),
    monthMinor: amount("month", existing?.monthMinor ?? null),
    yearMinor: amount("year", existing?.yearMinor ?? null),
  };
  if (unreadable.length > 0) return null;
  if (usualMinor === null) {
    row.problem("usual", { key: "validation.required" });
    return null;
  }
  const dates = Object.entries(existing?.dates ?? {}).map(([date, priceMinor]) => ({ date, priceMinor }));
  const allPrices = {
    ...amounts,
    usualMinor,
    depositMinor: amounts.depositMinor ?? 0,
    weekendMinor: amounts.weekendMinor ?? usualMinor,
    dates,
  };
  const prices = parseRow(row, pricesInput, allPrices, columnOf);
  if (!prices) return null;
  const messages = refusedFields(() => checkMinimum(prices, majorUnit(currency)));
  for (const [path, message] of Object.entries(messages)) row.problem(columnOf(path.replace("prices.", "")), message);
  return row.hasProblem() ? null : withDatesByDay(prices);
}

/** Returns the fields that the rule refuses, with messages. */
function refusedFields(rule: () => void): Record<string, FieldMessage> {
  try {
    rule();
    return {};
  } catch (error) {
    if (error instanceof DomainError && error.fields) return error.fields;
    throw asDomainError(error);
  }
}

export interface PlannedRoom {
  room: RoomInput;
  /** The room must be created, and its lock too if it has one. */
  isNew: boolean;
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
            r.sort, r.picture_file_id AS "pictureFileId", (SELECT p.prices FROM room_prices p WHERE p.hotel_id = $1 AND p.room_id = r.id) AS prices,
            CASE WHEN l.id IS NOT NULL THEN jsonb_build_object('mac', l.mac, 'bluetoothName', l.bluetooth_name) END AS lock
       FROM room r LEFT JOIN lock l ON l.hotel_id = r.hotel_id AND l.room_id = r.id
      WHERE r.hotel_id = $1 AND r.deleted_at IS NULL`,
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
    if (!room || row.hasProblem()) return [];
    table.acts[row.index] = existing ? "update" : "create";
    const groupId = hotelRooms.groups.get(group) ?? room.groupId;
    const isNewGroup = group !== "" && !hotelRooms.groups.has(group);
    if (isNewGroup) table.newGroups.add(group);
    const isNew = !existing && !(room.lock && hotelRooms.locks.has(room.lock.mac));
    return [{ room: { ...room, groupId }, isNew, group: isNewGroup ? group : "", prices }];
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
      rooms.flatMap(({ room, isNew }) => (isNew ? [room] : [])),
    );
    const roomsByPrices = new Map<string, { prices: RoomPrices; roomIds: number[] }>();
    for (const { room, prices } of rooms) {
      const roomId = ids.get(room.name) ?? (await saveRoom(scope, tx, room)).roomId;
      if (!prices) continue;
      const same = roomsByPrices.get(JSON.stringify(prices));
      if (same) same.roomIds.push(roomId);
      else roomsByPrices.set(JSON.stringify(prices), { prices, roomIds: [roomId] });
    }
    for (const { prices, roomIds } of roomsByPrices.values()) await writePrices(scope, tx, roomIds, prices, null);
    tx.audit({
      action: "import.run",
      entity: "import",
      entityId: scope.hotelId,
      after: { kind: "rooms", ...table.counts() },
    });
    tx.wholeBoardChanged();
    return table;
  });
}
