import { buffer } from "node:stream/consumers";
import { expect, it } from "vitest";
import { LocalTimes } from "../../../../../server/src/domain/data/exports/columns.ts";
import { xlsxFile } from "../../../../../server/src/domain/data/exports/xlsx-file.ts";
import { readWorkbook } from "./read-workbook.ts";

it("reads the console's own workbooks: phone numbers, dates, amounts and empty cells as they are", async () => {
  async function* rows() {
    yield [
      ["Ann", "+493055501970", "2026-03-02", "2026-03-02T10:30:00.000Z", 12_550, null, "00420"],
      ["Bob", null, null, null, null, null, "=1+1"],
    ];
  }
  const bytes = await buffer(
    xlsxFile({
      title: "Guests",
      headings: ["Name", "Mobile", "Arrival", "At", "Price", "Note", "No."],
      kinds: ["text", "text", "date", "time", "money", "text", "text"],
      batches: rows(),
      times: new LocalTimes("Europe/Berlin"),
      digits: 2,
      twelveHours: false,
      rightToLeft: false,
    }),
  );
  expect(await readWorkbook(new Uint8Array(bytes))).toEqual([
    ["Name", "Mobile", "Arrival", "At", "Price", "Note", "No."],
    ["Ann", "+493055501970", "2026-03-02", "2026-03-02 11:30:00", "125.5", "", "00420"],
    ["Bob", "", "", "", "", "", "=1+1"],
  ]);
});

it("refuses files that only look like a workbook", async () => {
  expect(await readWorkbook(new Uint8Array([0x50, 0x4b, 3, 4, 0, 0]))).toBeNull();
});
