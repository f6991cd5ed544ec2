import { DomainError } from "@innkey/shared/errors";
import { assignLocksInput } from "@innkey/shared/schemas/access/locks";
import { roomSeriesInput } from "@innkey/shared/schemas/property/room-series";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createTestWorld, type TestHotel, type TestWorld } from "../../../test/harness/hotel.ts";
import type { Scope } from "../../kernel/scope.ts";
import { assignLocks } from "./assign-locks.ts";
import { createSeries } from "./create-room-series.ts";

let world: TestWorld;
let hotel: TestHotel;
let owner: Scope;

beforeAll(async () => {
  world = await createTestWorld("2026-11-18T14:00:00.000Z");
});
afterAll(() => world.close());
beforeEach(async () => {
  hotel = await world.createHotel();
  owner = await hotel.scope();
  await createSeries(owner, roomSeriesInput.parse({ numbers: "101-104" }));
});

const MAC = "A4:C1:38:00:00:0";
const assign = (doors: [string, string][], scope = owner) =>
  assignLocks(scope, assignLocksInput.parse({ doors: doors.map(([roomName, mac]) => ({ roomName, mac })) }));
const refusal = (act: Promise<unknown>): Promise<unknown> =>
  act.then(
    () => null,
    (error: unknown) => {
      if (!(error instanceof DomainError)) throw error;
      return { code: error.code, fields: error.fields };
    },
  );
const locks = async () =>
  (
    await world.database.prisma.lock.findMany({
      where: { hotelId: hotel.id },
      include: { room: true },
      orderBy: { mac: "asc" },
    })
  ).map(({ mac, room }) => [mac, room?.name]);

describe("a list of doors", () => {
  it("gives each room its lock, once, and records it", async () => {
    expect(
      await assign([
        ["101", "a4c138000001"],
        ["102", `${MAC}2`],
      ]),
    ).toEqual({ assigned: 2 });
    expect(
      await assign([
        ["102", `${MAC}2`],
        ["103", `${MAC}3`],
      ]),
    ).toEqual({ assigned: 1 });
    expect(await locks()).toEqual([
      [`${MAC}1`, "101"],
      [`${MAC}2`, "102"],
      [`${MAC}3`, "103"],
    ]);
    const entries = await world.database.prisma.auditEntry.findMany({
      where: { hotelId: hotel.id, action: "room.lock" },
    });
    expect(entries).toHaveLength(3);
    expect(entries[0]).toMatchObject({ before: { lock: null }, after: { lock: { mac: `${MAC}1` } } });
  });

  it("is refused as a whole, with the problem of each line", async () => {
    await assign([["101", `${MAC}1`]]);
    expect(
      await refusal(
        assign([
          ["102", `${MAC}2`],
          ["101", `${MAC}3`],
          ["103", `${MAC}1`],
          ["999", `${MAC}4`],
          ["102", `${MAC}5`],
          ["104", `${MAC}2`],
        ]),
      ),
    ).toEqual({
      code: "import_has_errors",
      fields: {
        "doors.1.roomName": { key: "validation.doorHasLock" },
        "doors.2.mac": { key: "validation.macTaken" },
        "doors.3.roomName": { key: "validation.noSuchRoom" },
        "doors.4.roomName": { key: "validation.roomTwice", params: { name: "102" } },
        "doors.5.mac": { key: "validation.roomTwice", params: { name: `${MAC}2` } },
      },
    });
    expect(await locks()).toEqual([[`${MAC}1`, "101"]]);
  });

  it("never reaches another hotel's rooms, and is refused to staff", async () => {
    const stranger = await (await world.createHotel()).scope();
    expect(await refusal(assign([["101", `${MAC}1`]], stranger))).toMatchObject({
      fields: { "doors.0.roomName": { key: "validation.noSuchRoom" } },
    });
    const clerk = await hotel.scope("staff", { capabilities: ["locks.view"] });
    expect(await refusal(assign([["101", `${MAC}1`]], clerk))).toMatchObject({ code: "no_permission" });
    expect(await locks()).toEqual([]);
  });
});
