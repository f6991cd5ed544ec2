import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Browser } from "../../testing/browser.ts";
import { furnish, type House, type HouseIds } from "../../testing/house.ts";
import { createTestServer, type TestServer } from "../../testing/server.ts";
import { appRouter } from "./router.ts";

/**
 * Every procedure meets its strangers: nobody, a frozen operator, staff without a grant, and the owner of another hotel.
 * A procedure without a row here fails the test.
 */
interface Row {
  /** open: for anyone; own: about the caller alone; granted: needs a capability */
  access: "open" | "own" | "granted";
  /** staff without the room get what they would get for a room that doesn't exist */
  roomBound?: true;
  /** One input or more, each naming at least one thing of `target`, if the procedure takes any. */
  inputs: (target: HouseIds, own: HouseIds) => unknown[];
}

const DAY_MS = 86_400_000;
let server: TestServer;
let house: House;
let stranger: House;

const at = (days: number): string => new Date(server.clock.now().getTime() + days * DAY_MS).toISOString();
const guest = { name: "Ann", mobile: "", email: "" };
const passwords = { password: "new password", confirmPassword: "new password" };
const account = "13912345678";
const code = { captchaId: "00000000-0000-4000-8000-000000000000", code: "AAAA" };
const person = { name: "Ann", account, role: "staff" };
const customer = { kind: "person", name: "Ann", mobile: "", email: "" };
const hotelData = {
  name: "Renamed",
  tel: "",
  latitude: null,
  longitude: null,
  timeZone: "Europe/Berlin",
  currency: "EUR",
  checkInTime: "14:00",
  checkOutTime: "12:00",
  dayStartTime: "05:00",
  weekendNights: [5, 6],
  breakfastFrom: "07:00",
  breakfastTo: "10:00",
  breakfastPriceMinor: 0,
};
const prices = { depositMinor: 0, usualMinor: 10_000, weekendMinor: 10_000 };
const booking = (roomId: number, days: number) => ({
  roomId,
  unit: "day",
  startsAt: at(days),
  endsAt: at(days + 1),
  guests: [guest],
});

const TABLE: Record<string, Row> = {
  "auth.status": { access: "open", inputs: () => [undefined] },
  "auth.captcha": { access: "open", inputs: () => [undefined] },
  "auth.login": { access: "open", inputs: () => [{ account, password: "x" }] },
  "auth.logout": { access: "open", inputs: () => [undefined] },
  "auth.sendRecoveryCode": { access: "open", inputs: () => [{ account, ...code }] },
  "auth.resetPassword": { access: "open", inputs: () => [{ account, code: "000000", ...passwords }] },
  "setup.create": {
    access: "open",
    inputs: () => [
      { hotel: { name: "X", timeZone: "UTC", currency: "EUR" }, owner: { name: "X", account, password: "1234567" } },
    ],
  },

  "auth.me": { access: "own", inputs: () => [undefined] },
  "auth.changePassword": { access: "own", inputs: () => [{ oldPassword: "x", ...passwords }] },
  "auth.sessions": { access: "own", inputs: () => [undefined] },
  "auth.revokeSession": { access: "own", inputs: ({ sessionId }) => [{ id: sessionId }] },
  "auth.switchHotel": { access: "own", inputs: ({ hotelId }) => [{ hotelId }] },

  "hotel.get": { access: "granted", inputs: () => [undefined] },
  "hotel.update": { access: "granted", inputs: () => [hotelData] },
  "groups.list": { access: "granted", inputs: () => [undefined] },
  "groups.save": { access: "granted", inputs: ({ groupId }) => [{ id: groupId, name: "Taken over", sort: 1 }] },
  "groups.remove": { access: "granted", inputs: ({ groupId }) => [{ id: groupId }] },

  "rooms.detail": { access: "granted", roomBound: true, inputs: ({ roomId }) => [{ roomId }] },
  "rooms.save": {
    access: "granted",
    inputs: ({ roomId, groupId, fileId }, own) => [
      { id: roomId, name: "Taken over", groupId: own.groupId },
      { name: "With a foreign group", groupId },
      { name: "With a foreign picture", groupId: own.groupId, pictureFileId: fileId },
    ],
  },
  "rooms.archive": { access: "granted", inputs: ({ roomId }) => [{ roomId }] },
  "rooms.assignGroup": {
    access: "granted",
    inputs: ({ roomId, groupId }, own) => [
      { roomIds: [roomId], groupId: own.groupId },
      { roomIds: [own.roomId], groupId },
    ],
  },
  "rooms.setStatus": {
    access: "granted",
    roomBound: true,
    inputs: ({ roomId }) => [{ roomIds: [roomId], status: "dirty" }],
  },
  "rooms.setPrices": { access: "granted", inputs: ({ roomId }) => [{ roomIds: [roomId], prices }] },
  "unlocks.list": { access: "granted", roomBound: true, inputs: ({ roomId }) => [{ roomId }] },

  "stays.quote": {
    access: "granted",
    roomBound: true,
    inputs: ({ freeRoomId }) => [{ roomId: freeRoomId, unit: "day", startsAt: at(1), endsAt: at(2) }],
  },
  "stays.reserve": {
    access: "granted",
    roomBound: true,
    inputs: ({ freeRoomId, customerId }, own) => [
      booking(freeRoomId, 30),
      { ...booking(own.freeRoomId, 40), customerId },
    ],
  },
  "stays.checkIn": {
    access: "granted",
    roomBound: true,
    inputs: ({ freeRoomId, customerId }, own) => [
      booking(freeRoomId, 0),
      { ...booking(own.freeRoomId, 0), customerId },
    ],
  },
  "stays.arrive": { access: "granted", roomBound: true, inputs: ({ reservedStayId }) => [{ stayId: reservedStayId }] },
  "stays.renewQuote": { access: "granted", roomBound: true, inputs: ({ stayId }) => [{ stayId, endsAt: at(5) }] },
  "stays.renew": { access: "granted", roomBound: true, inputs: ({ stayId }) => [{ stayId, endsAt: at(5) }] },
  "stays.changeRoomQuote": {
    access: "granted",
    roomBound: true,
    inputs: ({ stayId, freeRoomId }, own) => [
      { stayId, roomId: own.freeRoomId },
      { stayId: own.stayId, roomId: freeRoomId },
    ],
  },
  "stays.changeRoom": {
    access: "granted",
    roomBound: true,
    inputs: ({ stayId, freeRoomId }, own) => [
      { stayId, roomId: own.freeRoomId },
      { stayId: own.stayId, roomId: freeRoomId },
    ],
  },
  "stays.update": {
    access: "granted",
    roomBound: true,
    inputs: ({ stayId, customerId }, own) => [
      { stayId, breakfast: true, idCardMatch: true },
      { stayId: own.stayId, breakfast: true, idCardMatch: true, customerId },
    ],
  },
  "stays.detail": { access: "granted", roomBound: true, inputs: ({ stayId }) => [{ stayId }] },
  "stays.byGuest": { access: "granted", roomBound: true, inputs: ({ manageId }) => [{ manageId }] },
  "stays.cancel": { access: "granted", roomBound: true, inputs: ({ reservedStayId }) => [{ stayId: reservedStayId }] },

  "guests.list": {
    access: "granted",
    roomBound: true,
    inputs: ({ roomId, customerId }) => [{}, { roomId }, { customerId }],
  },
  "guests.search": { access: "granted", roomBound: true, inputs: () => [{ query: house.mark }] },
  "guests.add": { access: "granted", roomBound: true, inputs: ({ stayId }) => [{ stayId, guest }] },
  "guests.update": { access: "granted", roomBound: true, inputs: ({ manageId }) => [{ manageId, guest }] },
  "guests.remove": { access: "granted", roomBound: true, inputs: ({ manageId }) => [{ manageId }] },

  "cards.ofStay": { access: "granted", roomBound: true, inputs: ({ stayId }) => [{ stayId }] },
  "cards.lookUp": { access: "granted", roomBound: true, inputs: () => [{ number: "DA3CBC66" }] },
  "cards.prepare": {
    access: "granted",
    roomBound: true,
    inputs: ({ stayId }) => [{ stayId, uid: "11223344" }],
  },
  "cards.confirm": {
    access: "granted",
    roomBound: true,
    inputs: ({ cardId }) => [{ cardId, readBack: "0".repeat(32) }],
  },
  "cards.revoke": { access: "granted", roomBound: true, inputs: ({ cardId }) => [{ cardId }] },

  "customers.list": { access: "granted", inputs: () => [{}, { keyword: house.mark }] },
  "customers.save": { access: "granted", inputs: ({ customerId }) => [{ id: customerId, ...customer }] },
  "customers.freeze": { access: "granted", inputs: ({ customerId }) => [{ id: customerId, frozen: true }] },

  "orders.list": { access: "granted", roomBound: true, inputs: () => [{}] },
  "orders.pay": {
    access: "granted",
    roomBound: true,
    inputs: ({ stayId }) => [{ stayId, amountMinor: 1, channel: "cash" }],
  },
  "orders.refund": {
    access: "granted",
    roomBound: true,
    inputs: ({ orderId }) => [{ orderId, amountMinor: 1, channel: "cash" }],
  },
  "stays.checkOut": { access: "granted", roomBound: true, inputs: ({ stayId }) => [{ stayId, confirmUnpaid: true }] },

  "staff.list": { access: "granted", inputs: () => [undefined] },
  "staff.save": {
    access: "granted",
    inputs: ({ operatorId, roomId }) => [
      { ...person, operatorId, password: "taken over" },
      { ...person, account: "13912345679", password: "new one here", roomIds: [roomId] },
    ],
  },
  "staff.freeze": { access: "granted", inputs: ({ operatorId }) => [{ operatorId, frozen: true }] },
  "audit.list": { access: "granted", inputs: () => [{}] },
  "outbox.list": { access: "granted", inputs: () => [undefined] },
};

const procedures = appRouter._def.procedures as unknown as Record<string, { _def: { type: "query" | "mutation" } }>;
const paths = Object.keys(procedures);
const closed = paths.filter((path) => TABLE[path]?.access !== "open");
const granted = paths.filter((path) => TABLE[path]?.access === "granted");
const roomBound = paths.filter((path) => TABLE[path]?.roomBound);

/** What came back, without what differs from call to call: either a result, or the words of a refusal. */
interface Answer {
  code: string | null;
  body: string;
}

async function call(browser: Browser, path: string, input: unknown): Promise<Answer> {
  const body = input === undefined ? undefined : JSON.stringify(input);
  const response =
    procedures[path]?._def.type === "query"
      ? await browser.http("GET", `/api/trpc/${path}${body ? `?input=${encodeURIComponent(body)}` : ""}`)
      : await browser.http("POST", `/api/trpc/${path}`, {
          headers: { "content-type": "application/json" },
          ...(body ? { payload: body } : {}),
        });
  const { result, error } = response.json() as {
    result?: { data: unknown };
    error?: { data: { innkey: { code: string; requestId?: string } } };
  };
  if (!error) return { code: null, body: JSON.stringify(result?.data) };
  const { requestId: _differs, ...words } = error.data.innkey;
  return { code: words.code, body: JSON.stringify(words) };
}

function inputsOf(path: string, target: HouseIds, own: HouseIds): unknown[] {
  const inputs = TABLE[path]?.inputs(target, own) ?? [];
  if (inputs.length === 0) throw new Error(`${path} has no input here`);
  return inputs;
}

/** Ids like real ones, of nothing. Real ids are large too (see beforeAll), so that a digit never stands for one by chance. */
const NOTHING: HouseIds = {
  hotelId: 1_900_000_001,
  groupId: 1_900_000_002,
  roomId: 1_900_000_003,
  freeRoomId: 1_900_000_004,
  customerId: 1_900_000_005,
  stayId: 1_900_000_006,
  manageId: 1_900_000_007,
  orderId: 1_900_000_008,
  cardId: 1_900_000_020,
  reservedStayId: 1_900_000_009,
  operatorId: 1_900_000_010,
  sessionId: "00000000-0000-4000-8000-00000000000a",
  fileId: "00000000-0000-4000-8000-00000000000b",
};

/** The answer with every id replaced by what it is the id of. */
function named(body: string, ids: HouseIds): string {
  return Object.entries(ids).reduce((text, [name, id]) => text.replaceAll(String(id), `<${name}>`), body);
}

/** Moves with every write of the hotel (prisma/migrations, commit_unit). */
async function stateOf({ hotel }: House): Promise<unknown> {
  const { rows } = await server.database.pool.query(
    "SELECT board_version, audit_seq, encode(audit_hash, 'hex') AS hash FROM hotel_state WHERE hotel_id = $1",
    [hotel.id],
  );
  return rows;
}

beforeAll(async () => {
  server = await createTestServer();
  const { rows } = await server.database.pool.query<{ name: string }>(
    "SELECT sequencename AS name FROM pg_sequences WHERE schemaname = 'public' ORDER BY 1",
  );
  for (const [index, { name }] of rows.entries()) {
    await server.database.pool.query("SELECT setval($1::regclass, $2)", [name, 710_000 + index * 10_000]);
  }
  house = await furnish(server, "Quince");
  stranger = await furnish(server, "Medlar");
});
afterAll(() => server.close());

it("has a row for every procedure, and no other", () => {
  expect(Object.keys(TABLE).sort()).toEqual(paths.sort());
});

describe("without a session", () => {
  it.each(closed)("%s asks to log in", async (path) => {
    for (const input of inputsOf(path, house.ids, house.ids)) {
      expect((await call(server.visitor(), path, input)).code).toBe("session_missing");
    }
  });
});

describe("a frozen operator", () => {
  let browser: Browser;
  beforeAll(async () => {
    const operator = await server.createOperator(house.hotel, { role: "administrator" });
    browser = await server.loginAs(operator);
    await house.ownerDesk.api.staff.freeze.mutate({ operatorId: operator.id, frozen: true });
  });
  it.each(closed)("%s has ended", async (path) => {
    for (const input of inputsOf(path, house.ids, house.ids)) {
      expect((await call(browser, path, input)).code).toBe("session_revoked");
    }
  });
});

describe("staff with no capability", () => {
  let browser: Browser;
  beforeAll(async () => {
    const { roomId, freeRoomId } = house.ids;
    browser = await server.loginAs(
      await server.createOperator(house.hotel, { role: "staff", roomIds: [roomId, freeRoomId] }),
    );
  });
  it.each(granted)("%s is refused", async (path) => {
    const before = await stateOf(house);
    for (const input of inputsOf(path, house.ids, house.ids)) {
      expect((await call(browser, path, input)).code).toBe("no_permission");
    }
    expect(await stateOf(house)).toEqual(before);
  });
});

describe("staff with every capability, and no room", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await server.loginAs(house.clerk);
  });
  it.each(roomBound)("%s answers as if the room didn't exist", async (path) => {
    const before = await stateOf(house);
    const [real, nothing] = [inputsOf(path, house.ids, house.ids), inputsOf(path, NOTHING, NOTHING)];
    for (const [index, input] of real.entries()) {
      const answer = await call(browser, path, input);
      const expected = await call(browser, path, nothing[index]);
      expect(named(answer.body, house.ids)).toBe(named(expected.body, NOTHING));
      expect(answer.code).not.toBe("invalid_input");
      expect(answer.body).not.toContain(house.mark);
    }
    expect(await stateOf(house)).toEqual(before);
  });
});

describe("the owner of another hotel", () => {
  it.each(closed)("%s answers as if it didn't exist", async (path) => {
    const before = await stateOf(house);
    const [foreign, nothing] = [inputsOf(path, house.ids, stranger.ids), inputsOf(path, NOTHING, stranger.ids)];
    for (const [index, input] of foreign.entries()) {
      const answer = await call(stranger.ownerDesk, path, input);
      const takesIds = JSON.stringify(input) !== JSON.stringify(nothing[index]);
      if (takesIds) {
        const expected = await call(stranger.ownerDesk, path, nothing[index]);
        expect(named(answer.body, house.ids)).toBe(named(expected.body, NOTHING));
        if (answer.code !== null) expect(["not_found", "invalid_input"]).toContain(answer.code);
      }
      expect(answer.body).not.toContain(house.mark);
    }
    expect(await stateOf(house)).toEqual(before);
  });

  it.each([["/files/", ({ fileId }: HouseIds) => fileId]])("%s answers as if it didn't exist", async (prefix, idOf) => {
    const answers = [idOf(house.ids), idOf(NOTHING)].map((id) => stranger.ownerDesk.http("GET", prefix + id));
    const [foreign, nothing] = await Promise.all(answers);
    expect([foreign?.statusCode, foreign?.json().code]).toEqual([404, nothing?.json().code]);
  });
});

describe("whoever it belongs to", () => {
  // Proves that the inputs above are good: what strangers were refused, the owner is not. Destructive rows come last in the table.
  const order = Object.keys(TABLE).filter((path) => closed.includes(path));
  it.each(order)("%s is served", async (path) => {
    for (const input of inputsOf(path, house.ids, house.ids)) {
      const { code, body } = await call(house.ownerDesk, path, input);
      expect(
        ["session_missing", "session_revoked", "no_permission", "not_found", "invalid_input", "internal"],
        body,
      ).not.toContain(code);
    }
  });
});
