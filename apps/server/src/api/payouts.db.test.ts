import { API_SCOPES, GRANTABLE_CAPABILITIES } from "@innkey/shared/capabilities";
import { PaymentChannel } from "@innkey/shared/enums";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { CARD, gatewayProgram } from "../../test/clients/gateway-client.ts";
import { type ManageClient, manageLogin } from "../../test/clients/manage-client.ts";
import type { Browser } from "../../test/harness/browser.ts";
import type { TestOperator } from "../../test/harness/people.ts";
import { createTestServer, TEST_PASSWORD, type TestServer } from "../../test/harness/server.ts";
import { appRouter } from "./trpc/router.ts";

/**
 * Tries every procedure that takes a payment channel, in a hotel full of other people's money, as an operator with
 * every capability but refunds and as a program with every scope. No money may leave through any of them.
 */
let server: TestServer;
let owner: TestOperator;
let clerk: TestOperator;
let ownerDesk: Browser;
let token: string;

beforeAll(async () => {
  server = await createTestServer();
  const hotel = await server.createHotel();
  owner = await server.createOperator(hotel, { role: "owner", apiKeyAuth: true });
  ownerDesk = await server.loginAs(owner);
  const capabilities = GRANTABLE_CAPABILITIES.filter((name) => name !== "folio.refund");
  clerk = await server.createOperator(hotel, { role: "staff", capabilities });
  const key = { name: "Booking engine", scopes: [...API_SCOPES], expiresAt: null };
  token = (await ownerDesk.api.integrations.createKey.mutate(key)).token;
  await ownerDesk.api.folio.recharge.mutate({ amountMinor: 500_000, channel: "cash" });
});
afterAll(() => server.close());

const at = (hours: number): string => new Date(server.clock.now().getTime() + hours * 3_600_000).toISOString();
const seconds = (hours: number): number => Math.floor(Date.parse(at(hours)) / 1000);

interface Scene {
  dear: number;
  cheap: number;
  free: number;
  /** In room `dear`, fully paid */
  paidStayId: number;
  stayGuestId: number;
  entryId: number;
  /** In its own room, with a credit of 1000.00 */
  creditStayId: number;
  /** Paid, starts tomorrow */
  reservedStayId: number;
  /** Expected to arrive now */
  dueStayId: number;
  /** Paid, expected to arrive now */
  paidDueStayId: number;
}

let scenes = 0;

async function setScene(): Promise<Scene> {
  const { api } = ownerDesk;
  const mark = `S${++scenes}`;
  const rooms: number[] = [];
  for (const [index, usualMinor] of [50_000, 1_000, 50_000, 50_000, 50_000, 1_000, 50_000].entries()) {
    const { roomId } = await api.rooms.save.mutate({ name: `${mark}-${index}`, groupId: null });
    const prices = { depositMinor: 0, usualMinor, weekendMinor: usualMinor };
    await api.rooms.setPrices.mutate({ roomIds: [roomId], prices });
    rooms.push(roomId);
  }
  const [dear = 0, cheap = 0, credited = 0, reserved = 0, due = 0, free = 0, paidDue = 0] = rooms;
  const { hotelId, membershipId } = clerk;
  await server.database.prisma.roomGrant.createMany({
    data: rooms.map((roomId) => ({ hotelId, membershipId, roomId })),
  });
  const party = (roomId: number) => ({ roomId, unit: "day" as const, guests: [{ name: `${mark} ${roomId}` }] });
  const paid = { channel: "cash" as const, startsAt: at(0), endsAt: at(72) };
  const stay = await api.stays.checkIn.mutate({ ...party(dear), ...paid });
  const credit = await api.stays.checkIn.mutate({ ...party(credited), ...paid });
  await api.stays.shorten.mutate({ stayId: credit.stayId, endsAt: at(24) });
  const later = { ...party(reserved), channel: "card" as const, startsAt: at(24), endsAt: at(72) };
  const { stayId: reservedStayId } = await api.stays.reserve.mutate(later);
  const dueStay = await api.stays.reserve.mutate({ ...party(due), startsAt: at(0), endsAt: at(72) });
  const paidDueStay = await api.stays.reserve.mutate({ ...party(paidDue), ...paid });
  return {
    ...{ dear, cheap, free, reservedStayId },
    ...{ paidStayId: stay.stayId, stayGuestId: stay.stayGuestId, entryId: stay.entryId },
    ...{ creditStayId: credit.stayId },
    ...{ dueStayId: dueStay.stayId, paidDueStayId: paidDueStay.stayId },
  };
}

type Attack = (scene: Scene, channel: PaymentChannel) => Record<string, unknown>;

const party = (scene: Scene) => ({ roomId: scene.free, unit: "day", guests: [{ name: "Mallory" }] });

/** Input of each procedure that would pay out the most. */
const ATTACKS: Record<string, Attack> = {
  "stays.reserve": (scene, channel) => ({ ...party(scene), startsAt: at(24), endsAt: at(48), channel }),
  "stays.checkIn": (scene, channel) => ({
    ...party(scene),
    ...{ startsAt: at(0), endsAt: at(48), channel, depositMinor: 900_000, depositChannel: channel },
  }),
  "stays.arrive": ({ dueStayId }, channel) => ({
    stayId: dueStayId,
    channel,
    depositMinor: 5,
    depositChannel: channel,
  }),
  "stays.renew": ({ creditStayId }, channel) => ({ stayId: creditStayId, endsAt: at(96), channel }),
  "stays.changeRoom": ({ paidStayId, cheap }, channel) => ({ stayId: paidStayId, roomId: cheap, channel }),
  "stays.shorten": ({ paidStayId }, channel) => ({ stayId: paidStayId, endsAt: at(24), channel }),
  "stays.moveReservation": ({ reservedStayId, cheap }, channel) => ({
    ...{ stayId: reservedStayId, roomId: cheap, startsAt: at(24), endsAt: at(72), channel },
  }),
  "stays.checkOut": ({ creditStayId }, channel) => ({ stayId: creditStayId, refundChannel: channel }),
  "stays.cancel": ({ reservedStayId }, channel) => ({ stayId: reservedStayId, refundChannel: channel }),
  "stays.markNoShow": ({ paidDueStayId }, channel) => ({
    ...{ stayId: paidDueStayId, charge: "nothing", refundChannel: channel },
  }),
  "folio.pay": ({ dueStayId }, channel) => ({ stayId: dueStayId, amountMinor: 100, channel }),
  "folio.chargeExtra": ({ creditStayId }, channel) => ({
    ...{ stayId: creditStayId, text: "Minibar", quantity: 1, unitMinor: 100, channel },
  }),
  "folio.refund": ({ entryId }, channel) => ({ entryId, amountMinor: 100_000, channel }),
  "folio.payOutCredit": ({ creditStayId }, channel) => ({ stayId: creditStayId, amountMinor: 100_000, channel }),
  // The figures name a payout that nobody made.
  "nightAudit.close": (_, channel) => ({
    date: "2026-03-01",
    figures: {
      arrivals: { expected: 0, arrived: 0, notCome: 0 },
      departures: { expected: 0, left: 0, overstaying: 0 },
      inHouse: { stays: 0, guests: 0 },
      unpaid: { stays: 0, owedMinor: 0 },
      revenueMinor: 0,
      channels: [{ channel, takenMinor: 0, returnedMinor: 100_000 }],
      doors: { neverOpened: 0, afterCheckOut: 0, vacantOpened: 0 },
    },
  }),
  "folio.recharge": (_, channel) => ({ amountMinor: 100, channel }),
};
/** Procedures that pay out without taking a channel. */
const WITHOUT_CHANNEL: Record<string, Attack> = { "folio.withdraw": () => ({ amountMinor: 100, repeatedMinor: 100 }) };

const procedures = appRouter._def.procedures as unknown as Record<
  string,
  { _def: { type: "query" | "mutation"; inputs: z.ZodType[] } }
>;

/** Checks whether any part of an input contains the payment channels. */
function asksForChannel(inputs: z.ZodType[]): boolean {
  const shape = JSON.stringify(inputs.map((input) => z.toJSONSchema(input, { io: "input", unrepresentable: "any" })));
  return shape.includes(JSON.stringify(PaymentChannel.options));
}

async function readLeft(): Promise<unknown[]> {
  const { rows } = await server.database.pool.query(
    `SELECT o.type, e.account, e.amount_minor FROM ledger_entry e JOIN folio_entry o ON o.id = e.folio_entry_id
      WHERE e.amount_minor < 0 AND e.account IN ('cash', 'card', 'transfer', 'other')`,
  );
  return rows;
}

it("has an attack for every procedure that takes a payment channel", () => {
  const asking = Object.keys(procedures).filter((path) => {
    const def = procedures[path]?._def;
    return def?.type === "mutation" && asksForChannel(def.inputs);
  });
  expect(asking.sort()).toEqual(Object.keys(ATTACKS).sort());
});

describe.each(["a clerk", "an API key"])("%s", (who) => {
  let desk: Browser;
  beforeAll(async () => {
    if (who === "a clerk") desk = await server.loginAs(clerk);
  });

  const call = (path: string, input: object) => {
    const headers = { "content-type": "application/json" };
    const payload = JSON.stringify(input);
    if (who === "a clerk") return desk.http("POST", `/api/trpc/${path}`, { headers, payload });
    const authorization = `Bearer ${token}`;
    return server.app.inject({
      method: "POST",
      url: `/api/trpc/${path}`,
      headers: { ...headers, authorization },
      payload,
    });
  };

  it.each(Object.keys({ ...ATTACKS, ...WITHOUT_CHANNEL }))("cannot take money out by %s", async (path) => {
    const attack = ATTACKS[path] ?? WITHOUT_CHANNEL[path];
    for (const channel of ["cash", "transfer"] as const) {
      const scene = await setScene();
      const response = await call(path, attack?.(scene, channel) ?? {});
      expect(response.statusCode, response.body).toBeLessThan(500);
      expect(response.statusCode, response.body).not.toBe(400);
      expect(await readLeft()).toEqual([]);
    }
  });
});

describe("an old client with a clerk's session", () => {
  let client: ManageClient;
  beforeAll(async () => {
    client = await manageLogin(server, clerk, { address: "10.1.1.1" });
  });
  const owed = async (stayId: number) => (await ownerDesk.api.stays.detail.query({ stayId })).money.owedMinor;

  it("moves a party into a cheaper room and leaves the difference as the guest's credit, like the console", async () => {
    const scene = await setScene();
    await client.ok("room/exchangeHouses", { manage_id: scene.stayGuestId, room_id: scene.cheap });
    const other = await setScene();
    const desk = await server.loginAs(clerk);
    await desk.api.stays.changeRoom.mutate({ stayId: other.paidStayId, roomId: other.cheap });
    expect(await owed(scene.paidStayId)).toBe(-147_000);
    expect(await owed(other.paidStayId)).toBe(-147_000);
    server.clock.advance(3000);
    const out = await client.ok<{ refund: string }>("room/checkOut", { manage_id: scene.stayGuestId });
    expect(out.refund).toBe("0.00");
    expect(await readLeft()).toEqual([]);
  });

  it("cannot refund or withdraw", async () => {
    const { entryId } = await setScene();
    expect(await client.call("order/refund", { order_id: entryId, amount: "10.00" })).toMatchObject({ errno: 100_006 });
    expect(await client.call("order/cash", { amount: "10.00" })).toMatchObject({ errno: 100_006 });
    expect(await readLeft()).toEqual([]);
  });

  it("returns the deposit less what is owed, through its own channel", async () => {
    const { free } = await setScene();
    const checkIn = {
      room_id: free,
      check_in_time: seconds(0),
      check_out_time: seconds(24),
      name: "Ann",
      deposit: "50.00",
    };
    const { manage_id: stayGuestId } = await client.ok<{ manage_id: number }>("room/tenant/update/checkIn", checkIn);
    server.clock.advance(3000);
    const out = await client.ok<{ refund: string }>("room/checkOut", { manage_id: stayGuestId });
    expect(out.refund).toBe("40.00");
    const { list } = await client.ok<{ list: { type: string; amount: string; state: string }[] }>(
      "order/orderList",
      {},
    );
    expect(list.slice(0, 4).map(({ type, amount, state }) => [type, amount, state])).toEqual([
      ["refund", "40.00", "done"],
      ["payment", "10.00", "done"],
      ["deposit", "50.00", "refunded"],
      ["room", "10.00", "done"],
    ]);
  });
});

it("writes nothing to the ledger through the gateway", async () => {
  const count = async () => (await server.database.pool.query("SELECT count(*) FROM ledger_entry")).rows;
  const { dear } = await setScene();
  const before = await count();
  const login = await gatewayProgram(server).post<{ token: string }>("/auth/login", {
    account: clerk.account,
    password: TEST_PASSWORD,
  });
  const program = gatewayProgram(server, login.data.token);
  const card = { hotelId: clerk.hotelId, roomId: dear, cardNum: CARD };
  const period = { startTime: seconds(0), endTime: seconds(24), guestName: "Ann" };
  await program.post("/linQuan/writeRoomCard", { ...card, ...period });
  await program.post("/linQuan/deleteRoomCard", card);
  expect(await count()).toEqual(before);
});
