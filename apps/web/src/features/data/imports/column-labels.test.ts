import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { guessColumns, IMPORT_COLUMNS, IMPORT_KINDS, type ImportColumn } from "@innkey/shared/imports/columns";
import { LANGUAGES } from "@innkey/shared/languages";
import { expect, it } from "vitest";
import { COLUMN_LABELS } from "./column-labels.ts";

type Branch = { [key: string]: string | Branch };

function textsOf(code: string): (key: string) => string {
  const path = fileURLToPath(new URL(`../../../../../../locales/${code}.json`, import.meta.url));
  const texts = JSON.parse(readFileSync(path, "utf8")) as Branch;
  return (key) => {
    const text = key.split(".").reduce<string | Branch | undefined>((at, name) => Object(at)[name], texts);
    if (typeof text !== "string") throw new Error(`${code} has no ${key}`);
    return text;
  };
}

it.each(LANGUAGES.map(({ code }) => code))("the template in %s is understood in every language", (code) => {
  const text = textsOf(code);
  for (const kind of IMPORT_KINDS) {
    const columns: readonly ImportColumn[] = IMPORT_COLUMNS[kind];
    const headings = columns.map((column) => text(COLUMN_LABELS[kind][column] ?? ""));
    expect(guessColumns(kind, headings)).toEqual(columns);
  }
});

it("headings of other systems are understood, and each column is assigned once", () => {
  expect(guessColumns("rooms", ["Zimmernr.", "ETAGE", "Preis (EUR)", "Lock MAC", "Colour", "Floor"])).toEqual([
    "name",
    "floor",
    "usual",
    "mac",
    null,
    null,
  ]);
  expect(guessColumns("guests", ["姓名", "房号", "入住时间", "离店时间", "证件号码", "手机号"])).toEqual([
    "name",
    "room",
    "arrival",
    "departure",
    "documentNumber",
    "mobile",
  ]);
});
