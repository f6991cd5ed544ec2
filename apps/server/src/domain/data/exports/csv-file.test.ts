import { buffer } from "node:stream/consumers";
import type { ColumnKind } from "@innkey/shared/lists";
import exceljs from "exceljs";
import { describe, expect, it } from "vitest";
import { readWorkbook } from "../../../../test/clients/workbook.ts";
import { type CellValue, LocalTimes, type Table } from "./columns.ts";
import { csvCell, csvFile } from "./csv-file.ts";
import { MAX_SHEET_ROWS, xlsxFile } from "./xlsx-file.ts";

const berlin = { times: new LocalTimes("Europe/Berlin"), digits: 2 };
const cell = (value: CellValue, kind: ColumnKind = "text", reader = berlin): string => csvCell(kind, value, reader);

const { Workbook } = exceljs;

async function* once<T>(...batches: T[]): AsyncGenerator<T> {
  yield* batches;
}

const table = (kinds: ColumnKind[], ...batches: CellValue[][][]): Table => ({
  ...berlin,
  title: "Doors: [all]/'x'",
  headings: kinds.map((kind) => `=${kind}`),
  kinds,
  batches: once(...batches),
  twelveHours: false,
  rightToLeft: false,
});

function bytesOf(parts: AsyncIterable<Buffer>): Promise<Buffer> {
  return buffer(parts);
}

describe("a cell of CSV", () => {
  it("is never a formula, whatever its text", () => {
    for (const text of ["=1+1", "+1+1", "-1", "@SUM(A1)"]) expect(cell(text)).toBe(`'${text}`);
    expect(cell("+493012345678"), "a phone number computes nothing").toBe("+493012345678");
    expect(cell("\t=1")).toBe("'\t'=1");
    expect(cell("\r=1")).toBe(`"'\r\n'=1"`);
    expect(cell("Meier;=1+1;x")).toBe("Meier;'=1+1;x");
    expect(cell('Meier;"=1+1"')).toBe(`"Meier;'""=1+1"""`);
    expect(cell("＝1+1")).toBe("'＝1+1");
    expect(cell('=HYPERLINK("http://x","a")')).toBe(`"'=HYPERLINK(""http://x"",""a"")"`);
    expect(cell("a=1")).toBe("a=1");
  });

  it("keeps negative numbers as numbers", () => {
    expect(cell(-5, "number")).toBe("-5");
    expect(cell(-12_345, "money")).toBe("-123.45");
    expect(cell(-12_345, "money", { ...berlin, digits: 0 })).toBe("-12345");
    expect(cell(5, "money", { ...berlin, digits: 3 })).toBe("0.005");
  });

  it("is quoted as in RFC 4180, in any script", () => {
    expect(cell('say "hi", then')).toBe('"say ""hi"", then"');
    expect(cell("a\nb\r\nc\rd")).toBe('"a\r\nb\r\nc\r\nd"');
    for (const name of ["王小明", "محمد", "Żółć", "👩‍🚀"]) expect(cell(name)).toBe(name);
    expect(cell(null)).toBe("");
  });

  it("shows times on the hotel's clock, before and after its changes", () => {
    const timeText = (instant: string): string => cell(instant, "time");
    expect(timeText("2026-03-29T00:59:59.999Z")).toBe("2026-03-29 01:59:59");
    expect(timeText("2026-03-29T01:00:00.000Z")).toBe("2026-03-29 03:00:00");
    expect(timeText("2026-10-25T00:30:00.000Z")).toBe("2026-10-25 02:30:00");
    expect(timeText("2026-10-25T01:30:00.000Z")).toBe("2026-10-25 02:30:00");
    expect(timeText("2026-10-25T02:30:00.000Z")).toBe("2026-10-25 03:30:00");
    const lordHowe = { times: new LocalTimes("Australia/Lord_Howe"), digits: 2 };
    expect(cell("2026-10-03T15:29:00.000Z", "time", lordHowe)).toBe("2026-10-04 01:59:00");
    expect(cell("2026-10-03T15:30:00.000Z", "time", lordHowe)).toBe("2026-10-04 02:30:00");
  });

  it("is in a file with a byte order mark, escaped headings and CRLF", async () => {
    const file = await bytesOf(csvFile(table(["text", "number"], [["a", 1]], [["b,c", null]])));
    expect(String(file)).toBe(`\uFEFF'=text,'=number\r\na,1\r\n"b,c",\r\n`);
  });
});

describe("a workbook", () => {
  it("stores texts as texts, and numbers, money and times as numbers with a format", async () => {
    const rows = [
      ["=1+1 <&> \u0001\ud800x", -5, "2026-03-29T01:00:00.000Z", "2026-03-29", -12_345],
      [null, null, null, null, null],
    ];
    const kinds: ColumnKind[] = ["text", "number", "time", "date", "money"];
    const { names, sheets, styles } = readWorkbook(await bytesOf(xlsxFile(table(kinds, rows))));
    const day = (Date.UTC(2026, 2, 29) - Date.UTC(1899, 11, 30)) / 86_400_000;
    expect(names).toEqual(["Doors   all  'x"]);
    expect(sheets).toEqual([
      [
        ["=text", "=number", "=time", "=date", "=money"],
        ["=1+1 <&> x", -5, day + 3 / 24, day, -123.45],
        [null, null, null, null, null],
      ],
    ]);
    expect(styles).toContain('formatCode="0.00"');
  });

  it("states the position of every cell, with empty cells between", async () => {
    const kinds: ColumnKind[] = ["text", "money", "time", ...Array.from({ length: 26 }, () => "text" as const)];
    const at = "2026-03-29T12:00:00.000Z";
    const last = Array.from({ length: 26 }, (_, index) => (index === 25 ? "end" : null));
    const bytes = await bytesOf(xlsxFile(table(kinds, [["Ann", null, at, ...last]], [[null, 1250, null, ...last]])));
    const book = new Workbook();
    await book.xlsx.load(bytes.buffer as ArrayBuffer);
    const [sheet] = book.worksheets;
    expect(sheet?.rowCount).toBe(3);
    expect(sheet?.getCell("A2").value).toBe("Ann");
    expect(sheet?.getCell("B3").value).toBe(12.5);
    expect(sheet?.getCell("C2").value).toEqual(new Date("2026-03-29T14:00:00.000Z"));
    expect(sheet?.getCell("AC3").value).toBe("end");
  });

  it("continues on another sheet when one is full", async () => {
    const batches = Array.from({ length: 64 }, () => Array.from({ length: 16_384 }, () => []));
    const { names, sheets } = readWorkbook(
      await bytesOf(xlsxFile({ ...table([]), batches: once(...batches, [[], []]) })),
    );
    expect(names).toHaveLength(2);
    expect(sheets.map((rows) => rows.length)).toEqual([MAX_SHEET_ROWS, 4]);
  });

  it("fails when its source fails", async () => {
    const batches = (async function* () {
      yield [["a"]];
      throw new Error("the connection is gone");
    })();
    await expect(bytesOf(xlsxFile({ ...table(["text"]), batches }))).rejects.toThrow("the connection is gone");
  });
});
