import { atLocal } from "@innkey/shared/hotel-time";
import { type CellDate, plain, readAmount, readDate } from "@innkey/shared/imports/cells";
import type { ImportColumn } from "@innkey/shared/imports/columns";
import { type GuestInput, guestInput } from "@innkey/shared/schemas/stays/stays";
import type { HotelContext } from "../../../kernel/scope.ts";
import { countryOf, documentTypeOf, genderOf } from "./cell-words.ts";
import type { Table } from "./table.ts";
import { checked, type Row } from "./table.ts";

const COLUMNS: readonly ImportColumn[] = [
  "name",
  "gender",
  "nationality",
  "birthDate",
  "documentType",
  "documentNumber",
  "mobile",
  "email",
];

/** Reads a guest's identity from the row; returns null and records the problems if it is invalid. */
export function readGuest(row: Row, table: Table): GuestInput | null {
  const word = <Value>(column: ImportColumn, read: (cell: string) => Value | null, key: string): Value | null => {
    const cell = row.cell(column);
    if (cell === "") return null;
    const value = read(cell);
    if (value === null) row.problem(column, { key });
    return value;
  };
  const values = {
    name: row.cell("name"),
    gender: word("gender", genderOf, "validation.choice"),
    nationality: word("nationality", countryOf, "validation.country"),
    birthDate: readDay(row, "birthDate", table)?.date ?? null,
    documentType: word("documentType", documentTypeOf, "validation.choice"),
    documentNumber: row.cell("documentNumber"),
    mobile: plain(row.cell("mobile")),
    email: row.cell("email"),
  };
  const guest = checked(row, guestInput, values, (path) => COLUMNS.find((column) => column === path) ?? null);
  return row.wrong() ? null : guest;
}

function readDay(row: Row, column: "birthDate" | "arrival" | "departure", { input }: Table) {
  const cell = row.cell(column);
  if (cell === "") return null;
  const day = readDate(cell, input.dateOrder);
  if (day === "ambiguous") row.problem(column, { key: "imports.problem.dateAmbiguous" });
  else if (day === null) row.problem(column, { key: "validation.date" });
  return typeof day === "string" ? null : day;
}

/** Room and period of a row's guest. */
export interface RowStay {
  room: string;
  startsAt: string;
  /** null: same as for the rest of the party. */
  endsAt: string | null;
  priceMinor: number | null;
}

/**
 * Reads the stay from the row; null if there is none or it is invalid. Days without a time get the hotel's check-in and
 * check-out times.
 */
export function readStay(row: Row, table: Table, hotel: HotelContext): RowStay | null {
  const room = row.cell("room");
  const present = { arrival: row.cell("arrival") !== "", departure: row.cell("departure") !== "" };
  if (room === "" && !present.arrival && !present.departure) return null;
  let wrong = false;
  const problem = (column: ImportColumn, key: string): void => {
    wrong = true;
    row.problem(column, { key });
  };
  if (room === "") problem("room", "validation.required");
  if (!present.arrival) problem("arrival", "validation.required");
  const arrival = readDay(row, "arrival", table);
  const departure = readDay(row, "departure", table);
  const price = row.cell("price");
  const priceMinor = price === "" ? null : readAmount(price, hotel.currency);
  if (price !== "" && priceMinor === null) problem("price", "validation.amount");
  if (wrong || !arrival || (present.departure && !departure)) return null;
  const at = ({ date, time }: CellDate, usual: string): string => atLocal(date, time ?? usual, hotel.timeZone);
  return {
    room,
    startsAt: at(arrival, hotel.checkInTime),
    endsAt: departure && at(departure, hotel.checkOutTime),
    priceMinor,
  };
}
