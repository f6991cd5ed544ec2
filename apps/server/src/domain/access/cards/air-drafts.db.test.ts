import type { DomainError } from "@innkey/shared/errors";
import { cardsInput, grantCardInput, prepareCardInput, registerCardInput } from "@innkey/shared/schemas/access/cards";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type CardDesk, createCardDesk, type DeskRoom } from "../../../../test/clients/card-desk.ts";
import { createTestWorld, type TestHotel, type TestWorld } from "../../../../test/harness/hotel.ts";
import type { Scope } from "../../../kernel/scope.ts";
import { addOverTheAir, grantCard, register } from "./air-cards.service.ts";
import { list } from "./cards.queries.ts";
import { confirm, prepare, revoke } from "./cards.service.ts";

const NOW = "2026-11-18T14:00:00.000Z";
const TOMORROW = "2026-11-19T14:00:00.000Z";

let world: TestWorld;
let hotel: TestHotel;
let desk: CardDesk;
let first: DeskRoom;
let second: DeskRoom;

beforeAll(async () => {
  world = await createTestWorld(NOW);
});
afterAll(() => world.close());
beforeEach(async () => {
  world.clock.set(NOW);
  hotel = await world.createHotel();
  desk = await createCardDesk(world, hotel);
  first = await desk.room("101");
  second = await desk.room("102");
});

const codeOf = (act: Promise<unknown>): Promise<string> =>
  act.then(
    () => "done",
    (error: DomainError) => error.code,
  );
const draft = (fields: object = {}, scope: Scope = desk.owner) =>
  register(scope, registerCardInput.parse({ kind: "guest", uid: desk.newUid(), ...fields }));
const put = (fields: object, scope: Scope = desk.owner) => grantCard(scope, grantCardInput.parse(fields));
const deliver = async (): Promise<void> => {
  for (const { lock } of [first, second]) await desk.deliver(lock.id);
};
const opening = (uid: string): boolean[] => [first, second].map(({ lock }) => desk.opens(uid, lock.id));
const standings = async (fields: object = {}) =>
  (await list(desk.owner, cardsInput.parse({ state: "all", ...fields }))).rows.map(({ standing }) => standing);

describe("a card that opens by its number, in two steps", () => {
  it("opens nothing after the first step, and the chosen doors in the period after the second", async () => {
    const uid = desk.newUid();
    const { cardId, state } = await draft({ uid, note: "Cleaner", validTo: TOMORROW });
    await deliver();
    expect([state, opening(uid), await standings()]).toEqual(["pending", [false, false], ["pending"]]);
    const placed = await put({ cardId, roomIds: [second.roomId] });
    expect([placed.state, placed.commandIds.length, await standings()]).toEqual(["active", 1, ["pending"]]);
    await deliver();
    expect([opening(uid), await standings()]).toEqual([[false, true], ["active"]]);
    world.clock.set(TOMORROW);
    expect([opening(uid), await standings()]).toEqual([[false, false], ["expired"]]);
  });

  it("opens every lock of the hotel as a universal card, including later ones, until it is taken back", async () => {
    const uid = desk.newUid();
    const { cardId } = await draft({ uid, kind: "universal" });
    expect((await put({ cardId, permanent: true })).commandIds).toHaveLength(2);
    const third = await desk.room("103");
    await deliver();
    expect([...opening(uid), desk.opens(uid, third.lock.id)]).toEqual([true, true, true]);
    await revoke(desk.owner, { cardId, reason: "lost" });
    expect(await standings()).toEqual(["revoking"]);
    await deliver();
    await desk.deliver(third.lock.id);
    expect([...opening(uid), desk.opens(uid, third.lock.id)]).toEqual([false, false, false]);
    expect([await standings(), await codeOf(draft({ uid }))], "its number is not refused").toEqual([
      ["revoked"],
      "done",
    ]);
  });

  it("requires rooms and an end unless it is permanent, and is placed once", async () => {
    const { cardId } = await draft();
    const invalid = (field: string) => ({ code: "invalid_input", fields: { [field]: expect.anything() } });
    await expect(put({ cardId, permanent: true })).rejects.toMatchObject(invalid("roomIds"));
    await expect(put({ cardId, roomIds: [first.roomId] })).rejects.toMatchObject(invalid("validTo"));
    const past = { cardId, roomIds: [first.roomId], validTo: "2026-11-17T14:00:00Z" };
    await expect(put(past)).rejects.toMatchObject(invalid("validTo"));
    await expect(draft({ validTo: "2026-11-17T14:00:00Z" })).rejects.toMatchObject(invalid("validTo"));
    expect(await standings()).toEqual(["pending"]);
    await put({ cardId, roomIds: [first.roomId], validTo: TOMORROW });
    expect(await codeOf(put({ cardId, roomIds: [first.roomId], permanent: true }))).toBe("state_conflict");
  });

  it("does not become active by a read-back, because it is not written", async () => {
    const { cardId } = await draft();
    const readBack = "00112233445566778899AABBCCDDEEFF";
    expect(await codeOf(confirm(desk.owner, { cardId, readBack }))).toBe("state_conflict");
    expect(await standings()).toEqual(["pending"]);
  });

  it("gives way as an unplaced draft to the next use of the card", async () => {
    const uid = desk.newUid();
    const stayId = await desk.checkIn(first.roomId);
    const again = [await draft({ uid }), await draft({ uid })];
    const note = "";
    const input = { uid, note, stayId, roomIds: [], validFrom: null, validTo: null };
    await addOverTheAir(desk.owner, input);
    expect(await codeOf(draft({ uid })), "a card that is in use").toBe("card_in_use");
    for (const { cardId } of again) expect(await codeOf(put({ cardId, permanent: true }))).toBe("state_conflict");
    const other = desk.newUid();
    const { cardId } = await draft({ uid: other });
    await prepare(desk.owner, prepareCardInput.parse({ stayId, uid: other, note }));
    expect(await world.database.prisma.card.findUniqueOrThrow({ where: { id: cardId } })).toMatchObject({
      revokeReason: "reissued",
    });
  });

  it("belongs to its issuer and their rooms; only those who can make master cards place those kinds", async () => {
    const clerk = await hotel.scope("staff", { capabilities: ["cards.issue"], roomIds: [first.roomId] });
    const colleague = await hotel.scope("staff", { capabilities: ["cards.issue"], roomIds: [first.roomId] });
    const stranger = await (await world.createHotel()).scope();
    expect(await codeOf(draft({ kind: "management" }, clerk))).toBe("no_permission");
    const uid = desk.newUid();
    const { cardId } = await draft({ uid }, clerk);
    const placement = { cardId, roomIds: [first.roomId], validTo: TOMORROW };
    for (const scope of [colleague, stranger]) expect(await codeOf(put(placement, scope))).toBe("not_found");
    expect(await codeOf(draft({ uid }, colleague))).toBe("card_in_use");
    expect(await codeOf(put({ ...placement, roomIds: [second.roomId] }, clerk))).toBe("not_found");
    expect(await codeOf(put(placement, clerk))).toBe("done");
  });
});

describe("the list of cards", () => {
  it("is filtered by room, lock and card state", async () => {
    const { cardId } = await draft({ validTo: TOMORROW });
    await put({ cardId, roomIds: [first.roomId, second.roomId] });
    const waiting = await draft({ validTo: TOMORROW });
    const stayId = await desk.checkIn(second.roomId);
    const written = await desk.issue(stayId, desk.newUid());
    const search = async (fields: object) =>
      (await list(desk.owner, cardsInput.parse({ state: "all", ...fields }))).rows.map(({ id }) => id);
    expect(await search({ roomId: second.roomId })).toEqual([written.cardId, cardId]);
    expect(await search({ roomId: first.roomId })).toEqual([cardId]);
    expect(await search({ lockId: second.lock.id })).toEqual([written.cardId, cardId]);
    expect(await search({ standing: "pending" })).toEqual([waiting.cardId, cardId]);
    await desk.deliver(first.lock.id);
    expect(await search({ standing: "pending" }), "confirmed at one of two doors").toEqual([waiting.cardId, cardId]);
    await world.database.prisma.credential.updateMany({
      where: { cardId, lockId: second.lock.id },
      data: { state: "failed", failReason: "full" },
    });
    expect(await search({ standing: "failed" })).toEqual([cardId]);
    expect(await search({ standing: "active" })).toEqual([written.cardId]);
    const { rows } = await list(desk.owner, cardsInput.parse({ cardId }));
    expect(rows[0]).toMatchObject({ roomNames: ["101", "102"] });
  });
});
