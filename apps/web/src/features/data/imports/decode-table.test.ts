import { expect, it } from "vitest";
import { decode, type Encoding, guessEncoding } from "./decode-table.ts";

const bytesOf = (hex: string): Uint8Array =>
  Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));

// The text "姓名,房号\n王伟,301" and similar ones, as spreadsheets save them in different countries.
const FILES: [Encoding, string, string][] = [
  ["utf-8", "efbbbfe5a793e5908d2ce688bfe58fb70ae78e8be4bc9f2c333031", "姓名,房号\n王伟,301"],
  ["utf-16le", "fffed3590d542c003f62f7530a008b731f4f2c00330030003100", "姓名,房号\n王伟,301"],
  ["gb18030", "d0d5c3fb2cb7bfbac50acdf5ceb02c333031", "姓名,房号\n王伟,301"],
  ["big5", "a96da6572ca9d0b8b90aa4fda4e52c333031", "姓名,房號\n王文,301"],
  ["shift_jis", "8e8196bc2c959489ae94d48d860a8db293a12c333031", "氏名,部屋番号\n佐藤,301"],
  ["euc-kr", "c0ccb8a72cb0b4bdc70ab1e8b9cebcf62c333031", "이름,객실\n김민수,301"],
  ["windows-1252", "4e616d653b5a696d6d65720a4dfc6c6c65723b333031", "Name;Zimmer\nMüller;301"],
];

it.each(FILES)("%s", (encoding, hex, text) => {
  const bytes = bytesOf(hex);
  expect(guessEncoding(bytes, "guests")).toBe(encoding);
  expect(decode(bytes, encoding)).toBe(text);
});

it("bytes that are invalid in an encoding are not decoded with it", () => {
  expect(decode(bytesOf("4dfc6c6c6572"), "utf-8")).toBeNull();
  expect(decode(bytesOf("41004200"), "utf-8")).toBeNull();
});
