import type { DomainError } from "@innkey/shared/errors";
import { newProfileInput, prepareCardInput } from "@innkey/shared/schemas/access/cards";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type CardDesk, createDeskWithGuest, type DeskRoom } from "../../../../test/clients/card-desk.ts";
import { createTestWorld, type TestHotel, type TestWorld } from "../../../../test/harness/hotel.ts";
import { prepare } from "./cards.service.ts";
import { create, list } from "./profiles.service.ts";

const NOW = "2026-11-18T14:00:00.000Z";
const AES = newProfileInput.parse({ cipher: "aes", block: 0, keyType: "A" });
const DES_KEYS = { siteCode: 77, sectorKey: "A0A1A2A3A4A5", desKey: "0123456789ABCDEF", desIv: "1234567890ABCDEF" };
const DES = newProfileInput.parse({ cipher: "des-cbc", sector: 1, block: 0, keyType: "A", ...DES_KEYS });

let world: TestWorld;
let hotel: TestHotel;
let desk: CardDesk;
let room: DeskRoom;
let stayId: number;

beforeAll(async () => {
  world = await createTestWorld(NOW);
});
afterAll(() => world.close());
beforeEach(async () => {
  ({ hotel, desk, room, stayId } = await createDeskWithGuest(world));
});

const profileOf = async (cardId: number) =>
  (await world.database.prisma.card.findUniqueOrThrow({ where: { id: cardId } })).profileId;

describe("new card keys", () => {
  it("are sent to every lock that can take them, and cards use the old keys until the lock confirms", async () => {
    const other = await desk.room("102");
    const before = await desk.issue(stayId, desk.newUid());
    const { profileId, locks } = await create(desk.owner, AES);
    expect(locks).toBe(2);
    const between = await desk.issue(stayId, desk.newUid());
    expect(await profileOf(between.cardId)).toBe(await profileOf(before.cardId));
    await desk.deliver(room.lock.id);
    const after = await desk.issue(stayId, desk.newUid());
    expect(await profileOf(after.cardId)).toBe(profileId);
    for (const { uid } of [before, between, after]) expect(desk.opens(uid, room.lock.id)).toBe(true);
    const universal = await desk.issueMaster("universal", desk.newUid());
    expect(await profileOf(universal.cardId), "the other lock has only the old keys").not.toBe(profileId);
    for (const { lock } of [room, other]) await desk.deliver(lock.id);
    for (const { lock } of [room, other]) expect(desk.opens(universal.uid, lock.id)).toBe(true);
    const last = await desk.issueMaster("universal", desk.newUid());
    expect(await profileOf(last.cardId)).toBe(profileId);
  });

  it("are returned together with the keys that the card's sector may still have", async () => {
    const uid = desk.newUid();
    const first = await desk.issue(stayId, uid);
    await create(desk.owner, DES);
    await desk.deliver(room.lock.id);
    const second = await desk.issue(stayId, uid);
    expect(second.sectorKey).toBe(DES_KEYS.sectorKey);
    expect(second.formerSectorKeys).toEqual([first.sectorKey]);
    expect(desk.opens(uid, room.lock.id)).toBe(true);
    await create(desk.owner, AES);
    await desk.deliver(room.lock.id);
    const third = await desk.issue(stayId, uid);
    expect(third.formerSectorKeys).toEqual([DES_KEYS.sectorKey, first.sectorKey]);
  });

  it("keep the place on the card while issued cards are valid", async () => {
    const moved = { ...AES, sectors: [2, 3] };
    await desk.issue(stayId, desk.newUid());
    await expect(create(desk.owner, moved)).rejects.toMatchObject({
      code: "invalid_input",
      fields: { sectors: { key: "validation.placeInUse", params: { sectors: "1, 2, 3, 4, 5", block: 0 } } },
    });
    world.clock.advance(30 * 86_400_000);
    await expect(create(desk.owner, moved)).resolves.toMatchObject({ locks: 1 });
    world.clock.set(NOW);
  });

  it("show their progress at the locks, and never the keys", async () => {
    await desk.issue(stayId, desk.newUid());
    const [old] = await list(desk.owner);
    const { profileId } = await create(desk.owner, AES);
    expect(await list(desk.owner)).toMatchObject([
      { id: profileId, retiredAt: null, locksConfirmed: 0, locksTotal: 1, cards: 0, siteCode: old?.siteCode },
      { id: old?.id, retiredAt: NOW, locksConfirmed: 1, locksTotal: 1, cards: 1 },
    ]);
    await desk.deliver(room.lock.id);
    expect((await list(desk.owner)).map(({ locksConfirmed }) => locksConfirmed)).toEqual([1, 1]);
    await create(desk.owner, DES);
    expect((await list(desk.owner))[0]).toMatchObject({ cipher: "des-cbc", siteCode: 77 });
    const rows = JSON.stringify(
      [await list(desk.owner), await world.database.prisma.auditEntry.findMany({ where: { hotelId: hotel.id } })],
      (_key, value: unknown) => (typeof value === "bigint" ? String(value) : value),
    );
    for (const key of [DES_KEYS.sectorKey, DES_KEYS.desKey, DES_KEYS.desIv])
      expect(rows.toUpperCase()).not.toContain(key);
    await create(desk.owner, AES);
    expect((await list(desk.owner))[0]?.siteCode, "DES keys have a site code of their own").not.toBe(77);
  });

  it("can be made only with authority over keys, in one's own hotel", async () => {
    const codeOf = (act: Promise<unknown>) =>
      act.then(
        () => "done",
        (error: DomainError) => error.code,
      );
    const unauthorised = await hotel.scope("owner");
    const clerk = await hotel.scope("staff", { capabilities: ["cards.issue", "encryption.manage"], apiKeyAuth: true });
    for (const scope of [unauthorised, clerk]) expect(await codeOf(create(scope, AES))).toBe("no_permission");
    expect(await codeOf(list(clerk))).toBe("no_permission");
    const stranger = await (await world.createHotel()).scope("owner", { apiKeyAuth: true });
    expect(await list(stranger)).toEqual([]);
    await create(stranger, AES);
    expect((await list(unauthorised))[0]?.retiredAt).toBeNull();
  });

  it("are created one after the other, however many desks make them at once", async () => {
    await Promise.all([
      create(desk.owner, AES),
      create(desk.owner, DES),
      prepare(desk.owner, prepareCardInput.parse({ stayId, uid: desk.newUid() })),
      create(desk.owner, AES),
    ]);
    expect((await list(desk.owner)).filter(({ retiredAt }) => retiredAt === null)).toHaveLength(1);
  });
});
