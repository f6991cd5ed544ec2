import { describe, expect, it } from "vitest";
import { guessSeparator, parseCsv, toCsv } from "../csv.ts";
import { readAmount, readDate, readInteger } from "./cells.ts";

describe("tables as text", () => {
  it("preserve quotes, separators and line ends inside quotes, and drop empty rows", () => {
    const text = '\ufeffname,note\r\n"A ""b"", c","two\nlines"\r\n,,\r\n 101 ,x\rlast,"y';
    expect(parseCsv(text, ",")).toEqual([
      ["name", "note"],
      ['A "b", c', "two\nlines"],
      ["101", "x"],
      ["last", "y"],
    ]);
  });

  it.each([
    ["a,b\n1,2", ","],
    ["a;b;c\n1;2,50;3", ";"],
    ["a\tb\n1,2\t3", "\t"],
    ["alone\n101", ","],
    ["", ","],
    ['"x;y;z",b\n1,2', ","],
  ])("are split at the separator of %j", (text, separator) => expect(guessSeparator(text)).toBe(separator));

  it("are unchanged after writing and reading", () => {
    const rows = [
      ["a;b", 'say "x"', "two\nlines"],
      ["", "王", "end"],
    ];
    for (const separator of [",", ";", "\t"] as const)
      expect(parseCsv(toCsv(rows, separator), separator)).toEqual(rows);
  });
});

describe("dates", () => {
  it.each([
    ["2026-03-02", "2026-03-02", null],
    ["2026/3/2", "2026-03-02", null],
    ["2026年3月2日", "2026-03-02", null],
    ["2026. 3. 2.", "2026-03-02", null],
    ["2.3.2026", "2026-03-02", null],
    ["02.03.2026 14:05", "2026-03-02", "14:05"],
    ["2026-03-02T09:30:00", "2026-03-02", "09:30"],
    ["2026年3月2日 9:30", "2026-03-02", "09:30"],
    ["25/03/2026", "2026-03-25", null],
    ["03/25/2026", "2026-03-25", null],
    ["04/04/2026", "2026-04-04", null],
    ["٢٠٢٦-٠٣-٠٢", "2026-03-02", null],
    ["２０２６／３／２", "2026-03-02", null],
  ])("%s", (cell, date, time) => expect(readDate(cell, "auto")).toEqual({ date, time }));

  it("that are ambiguous are not guessed", () => {
    expect(readDate("02/03/2026", "auto")).toBe("ambiguous");
    expect(readDate("02/03/2026", "dmy")).toEqual({ date: "2026-03-02", time: null });
    expect(readDate("02/03/2026", "mdy")).toEqual({ date: "2026-02-03", time: null });
  });

  it.each(["", "soon", "2026-02-30", "31.02.2026", "2026-03-02 25:00", "02/03/26", "0000-00-00", "13/13/2026"])(
    "%j is not a date",
    (cell) => expect(readDate(cell, "auto")).toBeNull(),
  );
});

describe("amounts", () => {
  it.each([
    ["128", "EUR", 12_800],
    ["128,5", "EUR", 12_850],
    ["128.50", "EUR", 12_850],
    ["1.234,50 €", "EUR", 123_450],
    ["1,234.50", "USD", 123_450],
    ["$ 1 234.50", "USD", 123_450],
    ["1.234", "EUR", 123_400],
    ["1,234", "USD", 123_400],
    ["¥12,000", "JPY", 12_000],
    ["12000円", "JPY", 12_000],
    ["EUR 80", "EUR", 8_000],
    ["1’250.00", "CHF", 125_000],
    ["1.234.567", "EUR", 123_456_700],
    ["1.234", "KWD", 1_234],
    ["٨٠٫٥".replace("٫", "."), "EUR", 8_050],
    ["0", "EUR", 0],
  ])("%s %s", (cell, currency, minor) => expect(readAmount(cell, currency)).toBe(minor));

  it.each([
    ["", "EUR"],
    ["free", "EUR"],
    ["-5", "EUR"],
    ["1.2.3", "EUR"],
    ["12.345,678", "EUR"],
    ["80.5", "JPY"],
    ["1,23,456", "EUR"],
  ])("%j %s is not an amount", (cell, currency) => expect(readAmount(cell, currency)).toBeNull());
});

it("whole numbers", () => {
  expect(["3", "-1", "3.0", "１２", "−2"].map(readInteger)).toEqual([3, -1, 3, 12, -2]);
  expect(["", "3.5", "x", "1e3"].map(readInteger)).toEqual([null, null, null, null]);
});
