import { DomainError } from "@innkey/shared/errors";
import { idCardInput } from "@innkey/shared/schemas/access/cards";
import { checkInInput, checkOutInput } from "@innkey/shared/schemas/stays/stays";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { createTestWorld, type TestHotel, type TestWorld } from "../../../../test/harness/hotel.ts";
import type { Scope } from "../../../kernel/scope.ts";
import * as desk from "../../desk/public.ts";
import { detail } from "../../overview/stays.queries.ts";
import { readStayKeys } from "../credentials/stay-keys.queries.ts";
import { listStayCards } from "./cards.queries.ts";
import { addIdCard, forgetIdCards } from "./id-card.ts";

const NOW = "2026-11-18T14:00:00.000Z";
const UID = "5D02E7A6";

let world: TestWorld;
let hotel: TestHotel;
let owner: Scope;
let roomId: number;
let stayId: number;
let stayGuestId: number;
let serial = 0;

beforeAll(async () => {
  world = await createTestWorld(NOW);
});
afterAll(() => world.close());
beforeEach(async () => {
  hotel = await world.createHotel();
  owner = await hotel.scope();
  roomId = await hotel.createRoom("305");
  const mac = `02:00:00:00:05:${String(++serial).padStart(2, "0")}`;
  await world.database.prisma.lock.create({ data: { hotelId: hotel.id, roomId, mac, configuredAt: owner.now() } });
  const guests = [{ name: `Ada ${serial}` }];
  const stay = { roomId, unit: "day", startsAt: NOW, endsAt: "2026-11-20T11:00:00.000Z", guests, idCardMatch: true };
  ({ stayId, stayGuestId } = await desk.checkIn(owner, checkInInput.parse(stay)));
});

const add = (fields: object = {}, scope = owner) =>
  addIdCard(scope, idCardInput.parse({ stayId, stayGuestId, readings: [UID, UID], ...fields }));
const codeOf = (act: Promise<unknown>): Promise<string | null> =>
  act.then(
    () => null,
    (error: unknown) => {
      if (!(error instanceof DomainError)) throw error;
      return error.code;
    },
  );
const kindsOf = async () => (await readStayKeys(owner, stayId)).keys.map(({ kind, label }) => [kind, label]);

it("opens nothing before it is read, then its guest's door until the stay ends", async () => {
  expect(await detail(owner, stayId)).toMatchObject({ idCardMatch: true, idCardRead: false });
  expect(await readStayKeys(owner, stayId)).toMatchObject({ wantsIdCard: true, keys: [] });
  const { cardId, commandIds } = await add();
  expect(commandIds).toHaveLength(1);
  expect(await detail(owner, stayId)).toMatchObject({ idCardMatch: true, idCardRead: true });
  expect(await kindsOf()).toEqual([["idCard", "••••E7A6"]]);
  expect(await listStayCards(owner, stayId)).toMatchObject([
    { id: cardId, uid: "••••E7A6", idCard: true, overTheAir: true, holder: { stayGuestId } },
  ]);
  const audited = await world.database.prisma.auditEntry.findFirst({
    where: { hotelId: hotel.id, action: "card.id_card" },
  });
  expect(JSON.stringify(audited?.after)).not.toContain(UID);
  await desk.checkOut(owner, checkOutInput.parse({ stayId, confirmUnpaid: true }));
  const card = await world.database.prisma.card.findUniqueOrThrow({ where: { id: cardId } });
  expect(["revoking", "revoked"]).toContain(card.state);
});

it("is refused if its number changes with each reading", async () => {
  expect(await codeOf(add({ readings: [UID, "5D02E7A7"] }))).toBe("id_card_changes");
  expect(await codeOf(add({ readings: ["08E7A611", "08E7A611"] }))).toBe("id_card_changes");
  expect(await kindsOf()).toEqual([]);
});

it("is for those who may give out keys of this stay, and for a guest of it", async () => {
  const stranger = await (await world.createHotel()).scope();
  const elsewhere = await hotel.scope("staff", { capabilities: ["cards.issue"], roomIds: [] });
  const viewer = await hotel.scope("staff", { capabilities: ["cards.view"], roomIds: [roomId] });
  for (const scope of [stranger, elsewhere]) expect(await codeOf(add({}, scope))).toBe("not_found");
  expect(await codeOf(add({}, viewer))).toBe("no_permission");
  expect(await codeOf(add({ stayGuestId: 2_000_000_000 }))).toBe("not_found");
});

it("loses its number with the guest's documents, once no lock accepts it", async () => {
  const { cardId } = await add();
  const { guestId } = await world.database.prisma.stayGuest.findUniqueOrThrow({ where: { id: stayGuestId } });
  const uidNow = async () => (await world.database.prisma.card.findUniqueOrThrow({ where: { id: cardId } })).uid;
  await owner.write((tx) => forgetIdCards(tx, [guestId]));
  expect(await uidNow()).toBe(UID);
  await world.database.prisma.card.update({ where: { id: cardId }, data: { state: "revoked" } });
  await owner.write((tx) => forgetIdCards(tx, [guestId]));
  expect(await uidNow()).toBe("");
});
