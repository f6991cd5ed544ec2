import { searchText } from "@innkey/shared/search-text";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createTestWorld, type TestWorld } from "../../test/harness/hotel.ts";
import { needleOf } from "./search-needle.ts";

let world: TestWorld;

beforeAll(async () => {
  world = await createTestWorld("2026-11-18T14:00:00.000Z");
});
afterAll(() => world.close());

it.each([
  "Jürgen  Møller-Straße",
  "Æsop & Œdipus, Łódź",
  "ĐORĐE Ħal ŋ ı",
  "Nguyễn Thị Ánh",
  "Ελένη Παπαδάκη",
  "Ёлкин Й.",
  "مُحَمَّد العلـي ٣٠١",
  "۱۲۳",
  "王秀英 (Wáng)",
  "ﾃﾞｰﾀ ユキ",
  "김민수",
  "ＡＢＣ１２３",
  "+49 (151) 16-08",
  "O’Brien\u200b",
  " – ",
  "",
])("a text is written in the browser as in the database: %s", async (text) => {
  const { rows } = await world.database.pool.query("SELECT search_text($1::text) AS key", [text]);
  expect(searchText(text)).toBe(rows[0].key);
});

it("reads phone numbers however they are written, and leaves other digits as they are", async () => {
  const scope = await (await world.createHotel()).scope();
  const keyOf = async (typed: string) => (await needleOf(scope, typed))?.key;
  expect(await keyOf("+49 151 1608")).toBe("491511608");
  expect(await keyOf("0049 (151) 16-08")).toBe("491511608");
  expect(await keyOf("0151 1608")).toBe("1511608");
  expect(await keyOf("007")).toBe("007");
  expect(await keyOf("608")).toBe("608");
  expect(await keyOf("Möller 12")).toBe("moller 12");
  expect(await keyOf(" … ")).toBeUndefined();
});
