import { expect, it } from "vitest";
import { enrolFaceInput, faceRef } from "./access/faces.ts";
import { createPasscodeInput } from "./access/passcodes.ts";

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
