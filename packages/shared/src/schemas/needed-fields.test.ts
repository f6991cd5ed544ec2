import { expect, it } from "vitest";
import { enrolFaceInput, faceRef } from "./access/faces.ts";
import { createPasscodeInput } from "./access/passcodes.ts";
import { v } from "./fields.ts";
import { setAccountInput } from "./folio.ts";

const FILE = "0b9f0e0c-6d0a-4c9e-8f57-0d6f4f3f9c11";
const pathsOf = (result: { error?: { issues: { path: PropertyKey[] }[] } }): string[] =>
  (result.error?.issues ?? []).map(({ path }) => path.join("."));

it("a face requires a picture and a note, and a number to be found again", () => {
  expect(pathsOf(enrolFaceInput.safeParse({ fileId: FILE, note: "Ann", consent: true }))).toEqual([]);
  expect(pathsOf(enrolFaceInput.safeParse({ fileId: "", note: " ", consent: true }))).toEqual(["fileId", "note"]);
  expect(pathsOf(faceRef.safeParse({}))).toEqual(["faceId"]);
});

it("a door code requires the name or phone of its person", () => {
  const input = { type: "air", roomIds: [1] };
  expect(pathsOf(createPasscodeInput.safeParse({ ...input, person: "+491715550100" }))).toEqual([]);
  expect(pathsOf(createPasscodeInput.safeParse({ ...input, person: " " }))).toEqual(["person"]);
});

it("an account for withdrawals says that its number is missing, and not that it is wrong", () => {
  const input = { type: "bank", name: "Ann" };
  expect(setAccountInput.safeParse({ ...input, number: " " }).error?.issues[0]?.message).toBe(v.required);
  expect(setAccountInput.safeParse({ ...input, number: "12345" }).error?.issues[0]?.message).toBe(v.unknown);
  expect(setAccountInput.safeParse(input).success).toBe(true);
});
