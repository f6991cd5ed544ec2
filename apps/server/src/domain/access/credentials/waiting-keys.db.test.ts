import type { DomainError } from "@innkey/shared/errors";
import { grantFaceInput } from "@innkey/shared/schemas/access/faces";
import { lockInput, replaceLockInput } from "@innkey/shared/schemas/access/locks";
import { createPasscodeInput } from "@innkey/shared/schemas/access/passcodes";
import { shortenInput } from "@innkey/shared/schemas/overview/timeline";
import { changeRoomInput, checkInInput } from "@innkey/shared/schemas/stays/stays";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type CardDesk, createCardDesk, type DeskRoom } from "../../../../test/clients/card-desk.ts";
import { createTestWorld, type TestHotel, type TestWorld } from "../../../../test/harness/hotel.ts";
import * as stays from "../../desk/public.ts";
import * as faces from "../faces/faces.service.ts";
import * as registration from "../locks/registration.service.ts";
import { replace } from "../locks/replace-lock.ts";
import * as passcodes from "../passcodes/passcodes.service.ts";

const NOW = "2026-11-18T14:00:00.000Z";
const END = "2026-11-22T14:00:00.000Z";

let world: TestWorld;
let hotel: TestHotel;
let desk: CardDesk;
let room: DeskRoom;
let other: DeskRoom;

beforeAll(async () => {
  world = await createTestWorld(NOW);
});
afterAll(() => world.close());
beforeEach(async () => {
  world.clock.set(NOW);
  hotel = await world.createHotel();
  desk = await createCardDesk(world, hotel);
  room = await desk.room("101");
  other = await desk.room("102");
});

let macs = 0;
function newMac(): string {
  macs += 1;
  return `A4:C1:38:00:2F:${macs.toString(16).toUpperCase().padStart(2, "0")}`;
}
const takeOff = ({ lock }: DeskRoom) =>
  registration.save(desk.owner, lockInput.parse({ id: lock.id, mac: lock.mac, roomId: null }));
const putOn = ({ roomId }: DeskRoom) => registration.save(desk.owner, lockInput.parse({ mac: newMac(), roomId }));
const exchange = (lockId: number) =>
  replace(desk.owner, replaceLockInput.parse({ lockId, mac: newMac(), isOffDoor: true }), {
    brokerUrl: "mqtt://192.0.2.1:1883",
  });
const code = (stayId: number) =>
  passcodes.create(
    desk.owner,
    createPasscodeInput.parse({ type: "air", roomIds: [room.roomId], person: "Ann", stayId }),
  );
const changeRoom = (stayId: number) =>
  stays.changeRoom(desk.owner, changeRoomInput.parse({ stayId, roomId: other.roomId, confirmDirty: true }));
const live = (where: object) =>
  world.database.prisma.credential.findMany({
    where: { hotelId: hotel.id, state: { notIn: ["revoking", "revoked"] }, ...where },
  });
async function newFace(guestId: number | null = null): Promise<number> {
  const at = world.clock.now();
  const data = { hotelId: hotel.id, note: "Old friend", guestId, consentAt: at, createdAt: at };
  return (await world.database.prisma.face.create({ data })).id;
}
async function checkInParty(
  ...names: string[]
): Promise<{ stayId: number; guests: { id: number; guestId: number }[] }> {
  const party = {
    ...{ roomId: room.roomId, unit: "day", startsAt: NOW, endsAt: END, channel: "cash", confirmDirty: true },
    guests: names.map((name) => ({ name })),
  };
  const { stayId } = await stays.checkIn(desk.owner, checkInInput.parse(party));
  return {
    stayId,
    guests: await world.database.prisma.stayGuest.findMany({ where: { stayId }, orderBy: { id: "asc" } }),
  };
}

describe("keys of a door without a lock", () => {
  it("go with a guest who moves to another room meanwhile", async () => {
    const stayId = await desk.checkIn(room.roomId);
    await code(stayId);
    await desk.deliver(room.lock.id);
    await takeOff(room);
    await changeRoom(stayId);
    await desk.checkIn(room.roomId);
    await putOn(room);
    expect(await live({ stayId })).toMatchObject([{ roomId: other.roomId, lockId: other.lock.id, kind: "passcode" }]);
  });

  it("wait in the room to which the guest moves", async () => {
    const stayId = await desk.checkIn(room.roomId);
    await code(stayId);
    await desk.deliver(room.lock.id);
    await takeOff(other);
    await changeRoom(stayId);
    expect(await live({ stayId })).toEqual([]);
    await putOn(other);
    expect(await live({ stayId })).toMatchObject([{ roomId: other.roomId, kind: "passcode" }]);
  });

  it("aren't read by staff of the code's other room", async () => {
    const { passcodeId } = await passcodes.create(
      desk.owner,
      createPasscodeInput.parse({
        ...{ type: "air", roomIds: [room.roomId, other.roomId], person: "Ann" },
        stayId: await desk.checkIn(room.roomId),
      }),
    );
    await desk.deliver(other.lock.id);
    const staff = await hotel.scope("staff", {
      capabilities: ["passcodes.view", "passcodes.issue", "stays.view"],
      roomIds: [room.roomId],
    });
    const reading = () =>
      passcodes.reveal(staff, { passcodeId }).then(
        () => "shown",
        (error: DomainError) => error.code,
      );
    await takeOff(other);
    expect(await reading()).toBe("not_found");
  });

  it("open the next lock for the time that the stay has now", async () => {
    const stayId = await desk.checkIn(room.roomId);
    await code(stayId);
    const faceId = await newFace();
    await faces.grant(desk.owner, grantFaceInput.parse({ faceId, stayId }));
    await desk.deliver(room.lock.id);
    await takeOff(room);
    const endsAt = "2026-11-19T14:00:00.000Z";
    await stays.shorten(desk.owner, shortenInput.parse({ stayId, endsAt, confirmUnpaid: true, channel: null }));
    await putOn(room);
    const ends = (await live({ stayId })).map(({ validTo }) => validTo?.toISOString());
    expect(ends).toEqual([endsAt, endsAt]);
  });

  it("lose a face that is withdrawn before the next lock is there", async () => {
    const faceId = await newFace();
    const { credentialIds } = await faces.grant(desk.owner, grantFaceInput.parse({ faceId, roomIds: [room.roomId] }));
    await takeOff(room);
    await faces.withdrawGrant(desk.owner, { credentialId: credentialIds[0] ?? 0 });
    await putOn(room);
    expect(await live({ faceId })).toEqual([]);
    await expect(faces.withdrawGrant(desk.owner, { credentialId: credentialIds[0] ?? 0 })).rejects.toMatchObject({
      code: "state_conflict",
    });
  });
});

describe("keys that ended at a door's lock don't open its next one", () => {
  it("those of a guest who changed the room", async () => {
    const stayId = await desk.checkIn(room.roomId);
    await code(stayId);
    await desk.deliver(room.lock.id);
    const second = await exchange(room.lock.id);
    await changeRoom(stayId);
    await desk.checkIn(room.roomId);
    const third = await exchange(second.lockId);
    expect(third.passcodes).toBe(0);
    expect(await live({ stayId, roomId: room.roomId })).toEqual([]);
  });

  it("a face that was withdrawn", async () => {
    const faceId = await newFace();
    await faces.grant(desk.owner, grantFaceInput.parse({ faceId, roomIds: [room.roomId] }));
    const second = await exchange(room.lock.id);
    const [credential] = await live({ faceId });
    expect(credential?.lockId).toBe(second.lockId);
    await faces.withdrawGrant(desk.owner, { credentialId: credential?.id ?? 0 });
    await exchange(second.lockId);
    expect(await live({ faceId })).toEqual([]);
  });

  it("the face of a guest who left the party", async () => {
    const { guests, stayId } = await checkInParty("First", "Second");
    const leaving = guests[1];
    const faceId = await newFace(leaving?.guestId ?? null);
    await faces.grant(desk.owner, grantFaceInput.parse({ faceId, stayId }));
    const second = await exchange(room.lock.id);
    expect(await live({ faceId })).toHaveLength(1);
    await stays.removeGuest(desk.owner, leaving?.id ?? 0);
    await exchange(second.lockId);
    expect(await live({ faceId })).toEqual([]);
  });

  it("those given in a check-in that was undone", async () => {
    const { guests, stayId } = await checkInParty("First");
    const faceId = await newFace(guests[0]?.guestId ?? null);
    await faces.grant(desk.owner, grantFaceInput.parse({ faceId, stayId }));
    const second = await exchange(room.lock.id);
    await stays.undoCheckIn(desk.owner, { stayId });
    await exchange(second.lockId);
    expect(await live({ faceId })).toEqual([]);
  });

  it("those of a party that left", async () => {
    const stayId = await desk.checkIn(room.roomId);
    await code(stayId);
    const second = await exchange(room.lock.id);
    await desk.checkOut(stayId);
    await exchange(second.lockId);
    expect(await live({ stayId })).toEqual([]);
  });
});
