import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { defuseFormulas, parseCsv, restoreFormulas, SEPARATORS, toCsv } from "./csv.ts";

describe("a text in a CSV file", () => {
  it("starts no formula, wherever a spreadsheet splits it", () => {
    const pieces = fc.constantFrom(..."=+-@＝＋－＠;|\t\r\n؛،,'\" a1".split(""));
    fc.assert(
      fc.property(fc.string({ unit: pieces, maxLength: 12 }), (text) => {
        for (const part of defuseFormulas(text).split(/[;|\t\r\n؛،]/))
          if (!/^\+\d+$/.test(text)) expect(part).not.toMatch(/^[ "]*[=+\-@＝＋－＠]/);
      }),
    );
  });

  it("is restored on reading", () => {
    const pieces = fc.constantFrom(..."=+-@＝;|\t\r\n,'\" a".split(""));
    fc.assert(
      fc.property(fc.string({ unit: pieces, maxLength: 12 }), (text) => {
        expect(restoreFormulas(defuseFormulas(text))).toBe(text);
      }),
      { numRuns: 1000 },
    );
  });

  it("is unchanged if nothing in it can be taken for a formula", () => {
    for (const text of ["Meier; Sohn", "a=1", "O'Neill", "5-7", "", "'quoted'", "+4915228817838"])
      expect(defuseFormulas(text)).toBe(text);
  });

  it("may start with the plus of a phone number only if nothing else is in it", () => {
    for (const text of ["+49-30", "+49 30", "+49\n", "+1+1", " +49", "＋49", "+"])
      expect(defuseFormulas(text)).toBe(`'${text}`);
  });

  it.each(SEPARATORS)("is unchanged after the console writes and reads it in a table separated by %j", (separator) => {
    const rows = [["=1+1", "Meier;=1+1;x", "＝2", "x\n@y"]];
    const text = toCsv(rows, separator);
    expect(text).toContain("'=1+1");
    expect(parseCsv(text, separator)).toEqual(rows);
  });
});
