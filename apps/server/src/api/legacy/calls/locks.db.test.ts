import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { answerOf, type ManageClient, manageLogin, refusalOf } from "../../../../test/clients/manage-client.ts";
import type { Browser } from "../../../../test/harness/browser.ts";
import { type SeededHotel, seedTestHotel } from "../../../../test/harness/seeded-hotel.ts";
import { createTestServer, type TestServer } from "../../../../test/harness/server.ts";

interface Manager {
  id: number;
  user_id: number;
  account: string;
  start: number | null;
  end: number | null;
}

const DAY = 86_400;
let server: TestServer;
let hotel: SeededHotel;
let client: ManageClient;
let desk: Browser["api"];
let lockId: number;

beforeAll(async () => {
  server = await createTestServer();
  hotel = await seedTestHotel(server, "own");
  client = await manageLogin(server, hotel.owner);
  desk = hotel.ownerDesk.api;
  lockId = hotel.ids.lockId;
});
afterAll(() => server.close());
beforeEach(() => server.clock.advance(3000));

const now = (): number => Math.floor(server.clock.now().getTime() / 1000);
const managers = async () =>
  (await answerOf<{ list: Manager[] }>(client, "lock/managerList", { lock_id: lockId })).list;
const add = (payload: object) =>
  answerOf<{ id: number }>(client, "lock/managerAddNew", { lock_id: lockId, ...payload });
const grantsOf = async (id: number) =>
  (await desk.staff.list.query()).find(({ operatorId }) => operatorId === id)?.grants;

describe("managers of a lock", () => {
  it("are staff with its room, permanently or for a period, found by account or name", async () => {
    const ann = await server.createOperator(hotel.hotel, { role: "staff", roomIds: [hotel.ids.freeRoomId] });
    const end = now() + DAY;
    const { id } = await add({ account: ann.account, start: now(), end });
    expect((await managers()).find((one) => one.user_id === ann.id)).toMatchObject({
      ...{ id, account: ann.account, start: now(), end },
    });
    const elsewhere = { roomId: hotel.ids.freeRoomId, startsAt: null, endsAt: null };
    expect(await grantsOf(ann.id)).toContainEqual(elsewhere);
    server.clock.advance(3000);
    const { name } = (await desk.staff.list.query()).find(({ operatorId }) => operatorId === ann.id) ?? { name: "" };
    expect(await add({ account: name.toUpperCase() }), "the same grant, now permanent").toEqual({ id });
    expect((await managers()).find((one) => one.id === id)).toMatchObject({ user_id: ann.id, start: null, end: null });

    expect(await answerOf(client, "lock/managerDelete", { id })).toEqual({});
    expect((await managers()).map((one) => one.user_id)).not.toContain(ann.id);
    expect(await grantsOf(ann.id)).toEqual([elsewhere]);
    server.clock.advance(3000);
    expect((await refusalOf(client, "lock/managerDelete", { id })).errno).toBe(100_007);
  });

  it("keep their room grant when their other permissions change", async () => {
    const [before] = await managers();
    const operatorId = before?.user_id ?? 0;
    const grants = [hotel.ids.roomId, hotel.ids.freeRoomId].map((roomId) => ({ roomId }));
    await desk.staff.permit.mutate({ people: [{ operatorId, capabilities: ["rooms.view"], grants }] });
    expect((await managers()).find((one) => one.user_id === operatorId)?.id).toBe(before?.id);
  });

  it("cannot be somebody unknown, ambiguous or with access to every room", async () => {
    const refused = async (payload: object) => {
      const { errno, data } = await refusalOf(client, "lock/managerAddNew", { lock_id: lockId, ...payload });
      return [errno, data.reason ?? Object.keys(data.fields ?? {})[0]];
    };
    const { account } = hotel.clerk;
    expect(await refused({})).toEqual([100_001, "account"]);
    expect(await refused({ account: "Nobody" })).toEqual([100_007, undefined]);
    expect(await refused({ account: hotel.owner.account })).toEqual([100_008, "state_conflict"]);
    expect(await refused({ account, start: now() + DAY, end: now() })).toEqual([100_001, "end"]);
    expect(await refused({ account, end: now() - DAY })).toEqual([100_001, "end"]);
    expect(await refused({ account, lock_id: 999_999 })).toEqual([100_007, undefined]);
    const names = await Promise.all([1, 2].map(() => server.createOperator(hotel.hotel, { role: "staff" })));
    await server.database.prisma.operator.updateMany({
      where: { id: { in: names.map(({ id }) => id) } },
      data: { name: "Kim Park" },
    });
    expect(await refused({ account: "Kim Park" })).toEqual([100_001, "account"]);
    const clerk = await manageLogin(server, hotel.clerk);
    expect((await refusalOf(clerk, "lock/managerList", { lock_id: lockId })).errno).toBe(100_007);
    expect((await refusalOf(client, "lock/managerList")).data.fields).toHaveProperty("lock_id");
  });
});

describe("the credentials at a lock", () => {
  it("are cards, codes and faces with their state, and those that were not set here", async () => {
    const credentials = await answerOf<Record<"cards" | "passwords" | "faces" | "unmanaged", { id: number }[]>>(
      client,
      "lock/inLockList",
      { lock_id: lockId },
    );
    const { masterCardId, passcodeId, faceGrantId } = hotel.ids;
    expect(credentials.cards).toMatchObject([{ id: masterCardId, name: "own floor", state: "pending", end: null }]);
    expect(credentials.passwords).toMatchObject([{ id: passcodeId, name: "own person", state: "pending" }]);
    expect(credentials.faces).toMatchObject([{ id: faceGrantId, name: "own face", state: "pending" }]);
    expect(credentials.unmanaged).toEqual([{ slot: 1, kind: "passcode", name: "own code", start: null, end: null }]);
    await server.database.prisma.credential.update({
      where: { id: faceGrantId },
      data: { state: "failed", failReason: "full" },
    });
    const { faces } = await answerOf<{ faces: object[] }>(client, "lock/inLockList", { lock_id: lockId });
    expect(faces).toMatchObject([{ state: "failed", fail_reason: "full" }]);
    expect((await refusalOf(client, "lock/inLockList", { lock_id: 999_999 })).errno).toBe(100_007);
    expect((await refusalOf(client, "lock/inLockList")).data.fields).toHaveProperty("lock_id");
  });

  it("include the cards written for it with their notes, page by page", async () => {
    const list = (payload: Record<string, unknown>) =>
      answerOf<{ list: { card_id: number }[]; total: number }>(client, "lock/noteCardList", payload);
    const all = await list({ lock_id: lockId });
    const { cardId, lostCardId, masterCardId } = hotel.ids;
    expect(all.list.map((card) => card.card_id)).toEqual([lostCardId, masterCardId, cardId]);
    expect(all.list[1]).toMatchObject({
      kind: "management",
      cardNote: "own floor",
      card_num: "DA3CBC67",
      state: "pending",
    });
    expect(all.list[2]).toMatchObject({ kind: "guest", cardNote: "own", state: "pending" });
    expect(await list({ lock_id: lockId, page: 2, page_size: 2 })).toMatchObject({
      total: 3,
      list: [{ card_id: cardId }],
    });
    expect((await refusalOf(client, "lock/noteCardList", { lock_id: 999_999 })).errno).toBe(100_007);
    expect((await refusalOf(client, "lock/noteCardList")).data.fields).toHaveProperty("lock_id");
  });
});
