import { describe, expect, it } from "vitest";
import { MAX_ROOMS_PER_CALL } from "./limits.ts";
import { readRoomSeries } from "./room-series.ts";

const names = (text: string): string[] => readRoomSeries(text).rooms.map(({ name }) => name);

describe("room numbers", () => {
  it("are read as ranges and single names, however they are separated", () => {
    expect(names("101–103, 201-202; Garden suite")).toEqual(["101", "102", "103", "201", "202", "Garden suite"]);
    expect(names("A1 - A3\nB7")).toEqual(["A1", "A2", "A3", "B7"]);
    expect(names("A1~3，１０１、١٠٢، 5")).toEqual(["A1", "A2", "A3", "101", "102", "5"]);
    expect(names("Villa-North, ,")).toEqual(["Villa-North"]);
  });

  it("keep their leading zeros", () => {
    expect(names("008–011")).toEqual(["008", "009", "010", "011"]);
    expect(names("9–11")).toEqual(["9", "10", "11"]);
  });

  it("say on which floor a room is, if they have three digits or more", () => {
    const floors = readRoomSeries("7, 101, A214, 1204, 99999").rooms.map(({ floor }) => floor);
    expect(floors).toEqual([0, 1, 2, 12, 0]);
  });

  it("are refused where they can't be meant", () => {
    expect(readRoomSeries("101, 120–101").problem).toEqual({ key: "roomRange", params: { part: "120–101" } });
    expect(readRoomSeries("A1–B3").problem).toEqual({ key: "roomRange", params: { part: "A1–B3" } });
    expect(readRoomSeries("101–103, 102").problem).toEqual({ key: "roomTwice", params: { name: "102" } });
    expect(readRoomSeries("1–999999").problem).toEqual({
      key: "tooManyRooms",
      params: { max: MAX_ROOMS_PER_CALL },
    });
    expect(readRoomSeries("x".repeat(61)).problem).toEqual({ key: "tooLong", params: { max: 60 } });
    expect(readRoomSeries(" , ")).toEqual({ rooms: [], problem: null });
  });
});
