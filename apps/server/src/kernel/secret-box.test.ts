import { randomBytes } from "node:crypto";
import { expect, it } from "vitest";
import { secretBox } from "./secret-box.ts";

const [newest, earlier, another] = [randomBytes(32), randomBytes(32), randomBytes(32)];
const PLACE = { column: "guest.document_number_box", hotelId: 1, row: 7 } as const;
const both = secretBox(newest, "document", [earlier]);

it("opens what the newest key and those of before have sealed, and nothing else", () => {
  expect(both.open(both.seal("passport", PLACE), PLACE)).toBe("passport");
  expect(both.open(secretBox(earlier, "document").seal("passport", PLACE), PLACE)).toBe("passport");
  expect(both.open(secretBox(another, "document").seal("passport", PLACE), PLACE)).toBeNull();
  expect(both.open(secretBox(newest, "card").seal("passport", PLACE), PLACE)).toBeNull();
});

it("seals with the newest key", () => {
  const box = both.seal("passport", PLACE);
  expect(secretBox(newest, "document").open(box, PLACE)).toBe("passport");
  expect(box.subarray(0, both.keyId.length).equals(both.keyId)).toBe(true);
  expect(secretBox(earlier, "document").open(box, PLACE)).toBeNull();
});

it("never makes the same box twice", () => {
  expect(both.seal("passport", PLACE).equals(both.seal("passport", PLACE))).toBe(false);
});

it("refuses a box with any byte changed, cut or added", () => {
  const box = both.seal("passport", PLACE);
  for (let index = 0; index < box.length; index++) {
    const changed = Buffer.from(box);
    changed[index] = (changed[index] ?? 0) ^ 1;
    expect(both.open(changed, PLACE), `byte ${index}`).toBeNull();
  }
  for (let length = 0; length < box.length; length++) expect(both.open(box.subarray(0, length), PLACE)).toBeNull();
  expect(both.open(Buffer.concat([box, Buffer.alloc(1)]), PLACE)).toBeNull();
});

it("opens a box nowhere but where it was sealed for", () => {
  const box = both.seal("passport", PLACE);
  expect(both.open(box, { ...PLACE, row: "7" })).toBe("passport");
  const elsewhere = [
    { ...PLACE, row: 8 },
    { ...PLACE, hotelId: 2 },
    { ...PLACE, hotelId: null },
    { ...PLACE, column: "guest.other_box" as const },
    { outside: "guest.document_number_box" },
  ];
  for (const place of elsewhere) expect(both.open(box, place), JSON.stringify(place)).toBeNull();
});

it("finds by the hash of either key", () => {
  const before = secretBox(earlier, "document").fingerprint("passport");
  expect(both.fingerprint("passport").equals(before)).toBe(false);
  expect(both.fingerprints("passport").map((hash) => hash.equals(before))).toEqual([false, true]);
  expect(both.isFingerprint("passport", before)).toBe(true);
  expect(both.isFingerprint("passport ", before)).toBe(false);
  expect(both.isFingerprint("passport", before.subarray(1))).toBe(false);
  expect(secretBox(newest, "document").isFingerprint("passport", before)).toBe(false);
});
