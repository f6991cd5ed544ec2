import { airCardInput, prepareCardInput } from "@innkey/shared/schemas/access/cards";
import { createPasscodeInput } from "@innkey/shared/schemas/access/passcodes";
import { checkInInput } from "@innkey/shared/schemas/stays/stays";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type CardDesk, createCardDesk, type DeskRoom } from "../../../../test/clients/card-desk.ts";
import { createTestWorld, type TestHotel, type TestWorld } from "../../../../test/harness/hotel.ts";
import type { Scope } from "../../../kernel/scope.ts";
import * as stays from "../../desk/public.ts";
import { addOverTheAir } from "../cards/air-cards.service.ts";
import { confirm, prepare } from "../cards/cards.service.ts";
import * as passcodes from "../passcodes/passcodes.service.ts";
import { readStayKeys } from "./stay-keys.queries.ts";

const NOW = "2026-11-18T14:00:00.000Z";
const END = "2026-11-21T14:00:00.000Z";

let world: TestWorld;
let hotel: TestHotel;
let desk: CardDesk;
let room: DeskRoom;
let stayId: number;
let ann: number;
let bob: number;
let uid: string;
let airUid: string;

beforeAll(async () => {
  world = await createTestWorld(NOW);
});
afterAll(() => world.close());
beforeEach(async () => {
  world.clock.set(NOW);
  hotel = await world.createHotel();
  desk = await createCardDesk(world, hotel);
  room = await desk.room("101");
  const guests = [{ name: "Ann Lee" }, { name: "Bob Lee" }];
  const party = { roomId: room.roomId, unit: "day", startsAt: NOW, endsAt: END, guests };
  stayId = (await stays.checkIn(desk.owner, checkInInput.parse(party))).stayId;
  const rows = await world.database.prisma.stayGuest.findMany({ where: { stayId }, orderBy: { id: "asc" } });
  [ann, bob] = rows.map(({ id }) => id) as [number, number];
  uid = desk.newUid();
  airUid = desk.newUid();
  const card = await prepare(desk.owner, prepareCardInput.parse({ stayId, uid, holderId: bob }));
  await confirm(desk.owner, { cardId: card.cardId, readBack: card.data });
  await passcodes.create(
    desk.owner,
    createPasscodeInput.parse({ type: "air", roomIds: [room.roomId], person: "ann lee", stayId }),
  );
  await addOverTheAir(desk.owner, airCardInput.parse({ uid: airUid, stayId, roomIds: [room.roomId] }));
});

const standings = async (scope: Scope = desk.owner) =>
  (await readStayKeys(scope, stayId)).keys.map(({ kind, stayGuestId, state }) => [kind, stayGuestId, state]);

describe("the keys of a stay", () => {
  it("are listed by guest, waiting for the lock until it confirms", async () => {
    expect(await readStayKeys(desk.owner, stayId)).toMatchObject({
      state: "checked_in",
      room: { id: room.roomId, name: "101" },
      opensUntil: END,
      door: { lockId: room.lock.id, setUp: true, online: true, readsCards: true, computesCodes: true },
      guests: [
        { stayGuestId: ann, name: "Ann Lee" },
        { stayGuestId: bob, name: "Bob Lee" },
      ],
    });
    expect(await standings()).toEqual([
      ["airCard", null, "waiting"],
      ["card", bob, "opens"],
      ["passcode", ann, "waiting"],
    ]);
    await desk.deliver(room.lock.id);
    expect((await standings()).map(([, , state]) => state)).toEqual(["opens", "opens", "opens"]);
  });

  it("say after an extension which are on their way and which must be written again", async () => {
    await desk.deliver(room.lock.id);
    await stays.renew(desk.owner, {
      ...{ stayId, endsAt: "2026-11-23T14:00:00.000Z", unit: "day", channel: null },
      ...{ agreedTotalMinor: null, expectedTotalMinor: null },
    });
    expect((await standings()).map(([kind, , state]) => [kind, state])).toEqual([
      ["airCard", "waiting"],
      ["card", "rewrite"],
      ["passcode", "waiting"],
    ]);
    await desk.deliver(room.lock.id);
    expect((await standings()).map(([, , state]) => state)).toEqual(["opens", "rewrite", "opens"]);
  });

  it("follow the party to another room, where those that move by themselves wait for the new lock", async () => {
    await desk.deliver(room.lock.id);
    const other = await desk.room("102");
    await stays.changeRoom(desk.owner, {
      ...{ stayId, roomId: other.roomId, disableOldCards: true, channel: null, confirmDirty: true },
      ...{ agreedTotalMinor: null, expectedDifferenceMinor: null },
    });
    const states = async () => (await standings()).map(([kind, , state]) => [kind, state]);
    expect(await states()).toEqual([
      ["airCard", "waiting"],
      ["card", "rewrite"],
      ["passcode", "waiting"],
    ]);
    await desk.deliver(other.lock.id);
    expect((await states()).map(([, state]) => state)).toEqual(["opens", "rewrite", "opens"]);
  });

  it("may open after the party left until the lock confirms, and say until when", async () => {
    await desk.deliver(room.lock.id);
    await desk.bench.status(room.lock, "offline");
    await desk.checkOut(stayId);
    const { state, keys } = await readStayKeys(desk.owner, stayId);
    expect(state).toBe("checked_out");
    expect(keys.map((key) => [key.kind, key.state, key.validTo])).toEqual([
      ["airCard", "may_open", END],
      ["card", "may_open", END],
      ["passcode", "may_open", END],
    ]);
    await desk.bench.status(room.lock, "online");
    await desk.deliver(room.lock.id);
    expect((await standings()).map(([, , now]) => now)).toEqual(["ended", "ended", "ended"]);
  });

  it("are shown only to people of the hotel who see the room, each kind with its permission", async () => {
    const stranger = await (await world.createHotel()).scope();
    await expect(readStayKeys(stranger, stayId)).rejects.toMatchObject({ code: "not_found" });
    const pool = await hotel.createRoom("Pool");
    const elsewhere = await hotel.scope("staff", { capabilities: ["stays.view", "cards.view"], roomIds: [pool] });
    await expect(readStayKeys(elsewhere, stayId)).rejects.toMatchObject({ code: "not_found" });
    const nobody = await hotel.scope("staff", { roomIds: [room.roomId] });
    await expect(readStayKeys(nobody, stayId)).rejects.toMatchObject({ code: "no_permission" });
    const clerk = await hotel.scope("staff", {
      capabilities: ["stays.view", "passcodes.view"],
      roomIds: [room.roomId],
    });
    expect((await standings(clerk)).map(([kind]) => kind)).toEqual(["passcode"]);
  });
});
