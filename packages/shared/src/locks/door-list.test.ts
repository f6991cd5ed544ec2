import { expect, it } from "vitest";
import { readDoorList } from "./door-list.ts";

const MAC = "A4:C1:38:00:1F:2B";
const read = (text: string) => readDoorList(text).map(({ roomName, mac }) => [roomName, mac]);

it("reads rooms and addresses in any order and notation", () => {
  expect(read(`101, ${MAC}`)).toEqual([["101", MAC]]);
  expect(read("101;a4c138001f2b\n102\ta4-c1-38-00-1f-2c")).toEqual([
    ["101", MAC],
    ["102", "A4:C1:38:00:1F:2C"],
  ]);
  expect(read(`${MAC} Garden suite`)).toEqual([["Garden suite", MAC]]);
  expect(read(`"101","${MAC}"`)).toEqual([["101", MAC]]);
  expect(read(`10 ${MAC}`)).toEqual([["10", MAC]]);
});

it("leaves out a heading and empty lines, and keeps the numbers of the lines", () => {
  expect(readDoorList(`Room, MAC\n\n101, ${MAC}\n`)).toEqual([{ line: 3, roomName: "101", mac: MAC }]);
});

it("keeps a line without a readable address, so that it can be named", () => {
  expect(read(`101, ${MAC}\n102, A4:C1`)).toEqual([
    ["101", MAC],
    ["102, A4:C1", null],
  ]);
  expect(read("")).toEqual([]);
});
