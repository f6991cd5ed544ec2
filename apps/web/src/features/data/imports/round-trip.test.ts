import { buffer } from "node:stream/consumers";
import { guessSeparator, parseCsv } from "@innkey/shared/csv";
import { expect, it } from "vitest";
import { LocalTimes, type Table } from "../../../../../server/src/domain/data/exports/columns.ts";
import { csvFile } from "../../../../../server/src/domain/data/exports/csv-file.ts";
import { xlsxFile } from "../../../../../server/src/domain/data/exports/xlsx-file.ts";
import { decode, guessEncoding } from "./decode-table.ts";
import { readWorkbook } from "./read-workbook.ts";

const GUESTS = [
  ["Ann", "+49 30 5550 1970"],
  ["Bob", "+493055501970"],
  ["Eve", "=1+1"],
  ["Kim", "-030 1"],
];

async function* once(rows: string[][]) {
  yield rows;
}

const exported = (): Table => ({
  title: "Guests",
  headings: ["Name", "Mobile"],
  kinds: ["text", "text"],
  batches: once(GUESTS),
  times: new LocalTimes("Europe/Berlin"),
  twelveHours: false,
  digits: 2,
  rightToLeft: false,
});

it("reads the phone numbers of the console's own CSV as they were", async () => {
  const bytes = new Uint8Array(await buffer(csvFile(exported())));
  const text = decode(bytes, guessEncoding(bytes, "customers")) ?? "";
  const [, ...rows] = parseCsv(text, guessSeparator(text));
  expect(rows).toEqual(GUESTS);
});

it("reads the phone numbers of the console's own workbook as they were", async () => {
  const [, ...rows] = (await readWorkbook(new Uint8Array(await buffer(xlsxFile(exported()))))) ?? [];
  expect(rows).toEqual(GUESTS);
});
