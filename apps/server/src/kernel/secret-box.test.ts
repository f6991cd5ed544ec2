import { randomBytes } from "node:crypto";
import { expect, it } from "vitest";
import { secretBox } from "./secret-box.ts";

const [newest, earlier, another] = [randomBytes(32), randomBytes(32), randomBytes(32)];
const CONTEXT = { column: "guest.document_number_box", hotelId: 1, row: 7 } as const;
const both = secretBox(newest, "document", [earlier]);

it("opens what the newest and earlier keys sealed, and nothing else", () => {
  expect(both.open(both.seal("passport", CONTEXT), CONTEXT)).toBe("passport");
  expect(both.open(secretBox(earlier, "document").seal("passport", CONTEXT), CONTEXT)).toBe("passport");
  expect(both.open(secretBox(another, "document").seal("passport", CONTEXT), CONTEXT)).toBeNull();
  expect(both.open(secretBox(newest, "card").seal("passport", CONTEXT), CONTEXT)).toBeNull();
});

it("seals with the newest key", () => {
  const box = both.seal("passport", CONTEXT);
  expect(secretBox(newest, "document").open(box, CONTEXT)).toBe("passport");
  expect(box.subarray(0, both.keyId.length).equals(both.keyId)).toBe(true);
  expect(secretBox(earlier, "document").open(box, CONTEXT)).toBeNull();
});

it("never makes the same box twice", () => {
  expect(both.seal("passport", CONTEXT).equals(both.seal("passport", CONTEXT))).toBe(false);
});

it("refuses a box with any byte changed, removed or added", () => {
  const box = both.seal("passport", CONTEXT);
  for (let index = 0; index < box.length; index++) {
    const changed = Buffer.from(box);
    changed[index] = (changed[index] ?? 0) ^ 1;
    expect(both.open(changed, CONTEXT), `byte ${index}`).toBeNull();
  }
  for (let length = 0; length < box.length; length++) expect(both.open(box.subarray(0, length), CONTEXT)).toBeNull();
  expect(both.open(Buffer.concat([box, Buffer.alloc(1)]), CONTEXT)).toBeNull();
});

it("opens a box only in the context it was sealed for", () => {
  const box = both.seal("passport", CONTEXT);
  expect(both.open(box, { ...CONTEXT, row: "7" })).toBe("passport");
  const elsewhere = [
    { ...CONTEXT, row: 8 },
    { ...CONTEXT, hotelId: 2 },
    { ...CONTEXT, hotelId: null },
    { ...CONTEXT, column: "guest.other_box" as const },
    { outside: "guest.document_number_box" },
  ];
  for (const context of elsewhere) expect(both.open(box, context), JSON.stringify(context)).toBeNull();
});

it("finds values by the hash of either key", () => {
  const before = secretBox(earlier, "document").fingerprint("passport");
  expect(both.fingerprint("passport").equals(before)).toBe(false);
  expect(both.fingerprints("passport").map((hash) => hash.equals(before))).toEqual([false, true]);
  expect(both.isFingerprint("passport", before)).toBe(true);
  expect(both.isFingerprint("passport ", before)).toBe(false);
  expect(both.isFingerprint("passport", before.subarray(1))).toBe(false);
  expect(secretBox(newest, "document").isFingerprint("passport", before)).toBe(false);
});
