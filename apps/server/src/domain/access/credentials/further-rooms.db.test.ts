import { lockInput } from "@innkey/shared/schemas/access/locks";
import { createPasscodeInput } from "@innkey/shared/schemas/access/passcodes";
import { arriveInput, renewInput, reserveInput } from "@innkey/shared/schemas/stays/stays";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type CardDesk, createCardDesk, type DeskRoom } from "../../../../test/clients/card-desk.ts";
import { createTestWorld, type TestWorld } from "../../../../test/harness/hotel.ts";
import * as stays from "../../desk/public.ts";
import * as hotels from "../../desk/update-hotel.ts";
import * as registration from "../locks/registration.service.ts";
import * as passcodes from "../passcodes/passcodes.service.ts";

const NOW = "2026-11-18T14:00:00.000Z";
const TOMORROW = "2026-11-19T14:00:00.000Z";
const LEAVES = "2026-11-22T10:00:00.000Z";
let world: TestWorld;
let desk: CardDesk;
/** the room of the party whose code is looked at */
let own: DeskRoom;
/** another room that the code opens */
let further: DeskRoom;
let rooms = 100;
beforeAll(async () => {
  world = await createTestWorld(NOW);
  desk = await createCardDesk(world, await world.createHotel());
});
afterAll(() => world.close());
beforeEach(async () => {
  world.clock.set(NOW);
  own = await nextRoom();
  further = await nextRoom();
});

function nextRoom(): Promise<DeskRoom> {
  rooms += 1;
  return desk.room(String(rooms));
}

/** Returns a reservation of the party's own room. */
async function reserve(startsAt: string, endsAt = LEAVES): Promise<number> {
  const guests = [{ name: "Ann Lee" }];
  const input = reserveInput.parse({ roomId: own.roomId, unit: "day", startsAt, endsAt, guests });
  return (await stays.reserve(desk.owner, input)).stayId;
}

const arrive = (stayId: number): Promise<unknown> =>
  stays.arrive(desk.owner, arriveInput.parse({ stayId, channel: "cash", confirmDirty: true }));

/** Makes a code for the party's own room and the further one, and returns how to read its periods by door. */
async function createCode(stayId: number, fields: object = {}) {
  const roomIds = [own.roomId, further.roomId];
  const input = createPasscodeInput.parse({ type: "air", roomIds, person: "Ann", stayId, ...fields });
  const { passcodeId } = await passcodes.create(desk.owner, input);
  return async ({ roomId }: DeskRoom): Promise<[string, string | undefined] | null> => {
    const live = { passcodeId, roomId, state: { notIn: ["revoking" as const, "revoked" as const] } };
    const credential = await world.database.prisma.credential.findFirst({ where: live });
    return credential && [credential.validFrom.toISOString(), credential.validTo?.toISOString()];
  };
}

describe("a code for a further room", () => {
  it("doesn't come back with the door's next lock if another party has moved in", async () => {
    const periodAt = await createCode(await desk.checkIn(own.roomId));
    await desk.deliver(further.lock.id);
    const { id, mac } = further.lock;
    await registration.save(desk.owner, lockInput.parse({ id, mac, roomId: null }));
    await desk.checkIn(further.roomId);
    await registration.save(desk.owner, lockInput.parse({ mac: "A4:C1:38:00:7F:01", roomId: further.roomId }));
    expect(await periodAt(further)).toBeNull();
    expect(await periodAt(own)).not.toBeNull();
  });

  it("of an expected party ends when another party moves in for that time", async () => {
    const stayId = await reserve(TOMORROW);
    const periodAt = await createCode(stayId);
    await desk.checkIn(further.roomId, 5);
    expect(await periodAt(further)).toBeNull();
    expect(await periodAt(own)).not.toBeNull();
  });

  it("of an expected party stays if the room is free again by then, and ends if that party stays longer", async () => {
    const periodAt = await createCode(await reserve("2026-11-20T14:00:00.000Z"));
    const guest = await desk.checkIn(further.roomId, 1);
    expect(await periodAt(further)).not.toBeNull();
    const input = { stayId: guest, endsAt: "2026-11-21T10:00:00.000Z", channel: "cash" };
    await stays.renew(desk.owner, renewInput.parse(input));
    expect(await periodAt(further)).toBeNull();
    expect(await periodAt(own)).not.toBeNull();
  });

  it("ends with its party's arrival if somebody else has not left that room in time", async () => {
    const stayId = await reserve("2026-11-20T14:00:00.000Z");
    const periodAt = await createCode(stayId);
    await desk.checkIn(further.roomId, 1);
    world.clock.set("2026-11-20T14:00:00.000Z");
    await arrive(stayId);
    expect(await periodAt(further)).toBeNull();
    expect(await periodAt(own)).not.toBeNull();
  });

  it("doesn't come back with an undone check-out if another party has moved in", async () => {
    const stayId = await desk.checkIn(own.roomId);
    const periodAt = await createCode(stayId);
    await desk.deliver(own.lock.id);
    await desk.deliver(further.lock.id);
    await desk.checkOut(stayId);
    await desk.checkIn(further.roomId);
    await stays.undoCheckOut(desk.owner, { stayId });
    expect(await periodAt(further)).toBeNull();
    expect(await periodAt(own)).not.toBeNull();
  });

  it("ends when the check-out of that room's party is undone", async () => {
    const former = await desk.checkIn(further.roomId);
    const stayId = await desk.checkIn(own.roomId);
    await desk.checkOut(former);
    const periodAt = await createCode(stayId);
    await desk.deliver(further.lock.id);
    await stays.undoCheckOut(desk.owner, { stayId: former });
    expect(await periodAt(further)).toBeNull();
    expect(await periodAt(own)).not.toBeNull();
  });

  it("opens from an early arrival on, as at the party's own room", async () => {
    const stayId = await reserve("2026-11-18T20:00:00.000Z");
    const periodAt = await createCode(stayId);
    await arrive(stayId);
    expect(await periodAt(own)).toEqual([NOW, LEAVES]);
    expect(await periodAt(further)).toEqual([NOW, LEAVES]);
  });
});

describe("a code for a part of a stay", () => {
  const later = "2026-11-21T10:00:00.000Z";

  it("doesn't begin earlier because its party arrives", async () => {
    const stayId = await reserve(NOW);
    const periodAt = await createCode(stayId, { validFrom: later });
    await arrive(stayId);
    expect(await periodAt(own)).toEqual([later, LEAVES]);
  });

  it("keeps its part when the hotel's minutes before arrival and after departure change, unlike a code for all of it", async () => {
    const change = async (accessEarlyMinutes: number, accessLateMinutes: number): Promise<void> => {
      const deps = { retention: { enqueue: async () => undefined } };
      await hotels.update(desk.owner, deps, { accessEarlyMinutes, accessLateMinutes });
      Object.assign(desk.owner.hotel, { accessEarlyMinutes, accessLateMinutes });
    };
    const over = "2026-11-18T16:00:00.000Z";
    const ended = await createCode(await desk.checkIn(own.roomId, 4), { validTo: over });
    await desk.deliver(own.lock.id);
    own = await nextRoom();
    const stayId = await reserve(TOMORROW);
    const part = await createCode(stayId, { validFrom: later });
    const whole = await createCode(stayId);
    const formerRoom = { ...own };
    world.clock.set("2026-11-18T18:00:00.000Z");
    await change(180, 30);
    expect(await part(formerRoom)).toEqual([later, "2026-11-22T10:30:00.000Z"]);
    expect(await whole(formerRoom)).toEqual(["2026-11-19T11:00:00.000Z", "2026-11-22T10:30:00.000Z"]);
    expect((await ended(further))?.[1] ?? over).toBe(over);
    await change(0, 0);
    expect(await part(formerRoom)).toEqual([later, LEAVES]);
    expect(await whole(formerRoom)).toEqual([TOMORROW, LEAVES]);
  });
});
