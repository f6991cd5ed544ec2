import type { FieldMessage } from "@innkey/shared/errors";
import { DomainError } from "@innkey/shared/errors";
import { readAmount, readInteger } from "@innkey/shared/imports/cells";
import { type ImportColumn, PRICE_COLUMNS } from "@innkey/shared/imports/columns";
import { majorUnit } from "@innkey/shared/money";
import type { RoomPrices } from "@innkey/shared/quote";
import { pricesInput, type RoomInput, roomInput } from "@innkey/shared/schemas/rooms";
import { asDomainError } from "../../../kernel/database-errors.ts";
import type { HotelContext } from "../../../kernel/scope.ts";
import { checkMinimum, withDatesByDay } from "../../property/public.ts";
import { checked, type Row } from "./table.ts";

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
const SAME = ["name", "floor", "sort", "remarkName", "description", "bulletin", "mac", "bluetoothName"] as const;

function columnOf(path: string): ImportColumn | null {
  return COLUMN_OF[path] ?? SAME.find((name) => name === path) ?? null;
}

/** Reads a room from the row; an empty cell keeps the existing value. `planRooms` sets its group, by name. */
export function readRoom(row: Row, existing: ExistingRoom | null): RoomInput | null {
  const number = (column: "floor" | "sort"): number => {
    const cell = row.cell(column);
    return cell === "" ? (existing?.[column] ?? 0) : (readInteger(cell) ?? Number.NaN);
  };
  const textOf = (column: "remarkName" | "description" | "bulletin"): string =>
    row.cell(column) || (existing?.[column] ?? "");
  return checked(
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
  const unread: string[] = [];
  const amount = (column: (typeof PRICE_COLUMNS)[number], otherwise: number | null): number | null => {
    const cell = row.cell(column);
    if (cell === "") return otherwise;
    const minor = readAmount(cell, currency);
    if (minor === null) {
      unread.push(column);
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
  if (unread.length > 0) return null;
  if (usualMinor === null) {
    row.problem("usual", { key: "validation.required" });
    return null;
  }
  const dates = Object.entries(existing?.dates ?? {}).map(([date, priceMinor]) => ({ date, priceMinor }));
  const whole = {
    ...amounts,
    usualMinor,
    depositMinor: amounts.depositMinor ?? 0,
    weekendMinor: amounts.weekendMinor ?? usualMinor,
    dates,
  };
  const prices = checked(row, pricesInput, whole, columnOf);
  if (!prices) return null;
  const refused = refusalOf(() => checkMinimum(prices, majorUnit(currency)));
  for (const [path, message] of Object.entries(refused)) row.problem(columnOf(path.replace("prices.", "")), message);
  return row.wrong() ? null : withDatesByDay(prices);
}

/** Returns the fields that the rule refuses, with messages. */
function refusalOf(rule: () => void): Record<string, FieldMessage> {
  try {
    rule();
    return {};
  } catch (error) {
    if (error instanceof DomainError && error.fields) return error.fields;
    throw asDomainError(error);
  }
}
