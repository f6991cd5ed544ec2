import { homeOverview } from "@innkey/shared/schemas/overview/home";
import { timelineOutput } from "@innkey/shared/schemas/overview/timeline";
import { guestListInput, guestListOutput } from "@innkey/shared/schemas/stays/stays";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, expect, it, type MockInstance, vi } from "vitest";
import type { Browser } from "../../../test/harness/browser.ts";
import type { TestOperator } from "../../../test/harness/people.ts";
import { type SeededHotel, seedTestHotel } from "../../../test/harness/seeded-hotel.ts";
import { createTestServer, failure, type TestServer } from "../../../test/harness/server.ts";
import { SOON } from "../../../test/harness/soon.ts";
import { BoardReader } from "../../domain/overview/board.queries.ts";
import { overview } from "../../domain/overview/home.queries.ts";
import { read } from "../../domain/overview/timeline.queries.ts";
import { list } from "../../domain/stays/guests/guest-list.queries.ts";

const DAYS = { from: "2026-03-01", days: 31 };
const PAGE = { page: 1, pageSize: 50 };

let server: TestServer;
let hotel: SeededHotel;
let desks: { operator: TestOperator; desk: Browser }[];
let boardReads: MockInstance;

beforeAll(async () => {
  server = await createTestServer();
  hotel = await seedTestHotel(server, "Kept");
  const stranger = await seedTestHotel(server, "Other");
  const clerk = await server.createOperator(hotel.hotel, {
    role: "staff",
    capabilities: ["rooms.view", "stays.view"],
    roomIds: [hotel.ids.freeRoomId],
  });
  const operators = [hotel.owner, clerk, stranger.owner];
  desks = await Promise.all(operators.map(async (operator) => ({ operator, desk: await server.loginAs(operator) })));
  boardReads = vi.spyOn(server.services.board, "readForOverview");
});
afterAll(() => server.close());
beforeEach(() => {
  // Earlier tests may have answered within this moment.
  server.clock.advance(10_000);
  boardReads.mockClear();
});

const write = (text: string, values: unknown[] = [hotel.hotel.id]) => server.database.pool.query(text, values);
/** Writes something that the board shows. */
const writeOnBoard = (update: string) => write(`WITH changed AS (${update}) SELECT raise_board($1, NULL)`);

async function answers({ api }: Browser) {
  return {
    home: await api.home.overview.query(),
    timeline: await api.timeline.read.query(DAYS),
    guests: await api.guests.list.query(PAGE),
  };
}

/** Returns the same answers without anything that was kept. */
async function freshAnswers(operator: TestOperator): Promise<Awaited<ReturnType<typeof answers>>> {
  const scope = await server.scopeOf(operator);
  return {
    home: homeOverview.parse(await overview(scope, new BoardReader(), "1", true)),
    timeline: timelineOutput.parse((await read(scope, new BoardReader(), "1", DAYS)).toJSON()),
    guests: guestListOutput.parse(await list(scope, guestListInput.parse(PAGE))),
  };
}

const isoIn = (hours: number): string => new Date(server.clock.now().getTime() + hours * 3_600_000).toISOString();
const party = { unit: "day" as const, guests: [{ name: "Ann Lee", mobile: "", email: "" }], channel: "cash" as const };

/** What people, locks and the clock change. Some are refused in some order, which changes nothing. */
const ACTS: Record<string, () => Promise<unknown>> = {
  reserve: () =>
    hotel.ownerDesk.api.stays.reserve.mutate({
      ...{ ...party, roomId: hotel.ids.freeRoomId, startsAt: isoIn(1), endsAt: isoIn(25) },
    }),
  checkIn: () =>
    hotel.ownerDesk.api.stays.checkIn.mutate({
      ...{ ...party, roomId: hotel.ids.freeRoomId, startsAt: isoIn(0), endsAt: isoIn(20) },
    }),
  clean: () => hotel.ownerDesk.api.rooms.setStatus.mutate({ roomIds: [hotel.ids.freeRoomId], status: "vacant" }),
  soil: () => hotel.ownerDesk.api.rooms.setStatus.mutate({ roomIds: [hotel.ids.freeRoomId], status: "dirty" }),
  checkOut: () => hotel.ownerDesk.api.stays.checkOut.mutate({ stayId: hotel.ids.stayId, channel: "cash" }),
  rename: () => writeOnBoard("UPDATE guest SET name = name || '.' WHERE hotel_id = $1"),
  lockReport: () => writeOnBoard("UPDATE lock SET online = NOT online WHERE hotel_id = $1"),
  doorEvent: () => write("UPDATE unlock_record SET success = NOT success WHERE hotel_id = $1"),
  alert: () => write("UPDATE alert SET read_at = now() WHERE hotel_id = $1"),
  elsewhere: () => write("UPDATE hotel SET wifi_name = wifi_name || '.' WHERE id <> $1"),
  nothing: async () => undefined,
  wait: async () => server.clock.advance(2_000),
  waitLong: async () => server.clock.advance(3 * 3_600_000),
};

it("answers as a fresh read does, whatever happens between two answers", async () => {
  const acts = fc.array(fc.constantFrom(...Object.keys(ACTS)), { minLength: 2, maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(acts, async (names) => {
      for (const name of names) {
        await ACTS[name]?.().catch(() => undefined);
        for (const { operator, desk } of desks) {
          const fresh = await freshAnswers(operator);
          expect(await answers(desk), name).toEqual(fresh);
          expect(await answers(desk), `${name}, kept`).toEqual(fresh);
        }
      }
    }),
    { numRuns: 5 },
  );
}, 60_000);

it("reads once for all desks that see the same, until something is written", async () => {
  const colleague = await server.loginAs(hotel.owner);
  // Other tests write into the same PostgreSQL, which ends what is kept here; in some moment none of them does.
  await vi.waitFor(async () => {
    await hotel.ownerDesk.api.home.overview.query();
    boardReads.mockClear();
    for (const { api } of [colleague, hotel.ownerDesk]) await api.home.overview.query();
    expect(boardReads.mock.calls.length).toBe(0);
  }, SOON);
  await ACTS.lockReport?.();
  await colleague.api.home.overview.query();
  expect(boardReads.mock.calls.length).toBeGreaterThan(0);
});

it("shows a write as soon as it is committed, and not before", async () => {
  const nameOf = async () => (await hotel.ownerDesk.api.guests.list.query(PAGE)).rows[0]?.name;
  const earlier = await nameOf();
  const other = await server.database.pool.connect();
  try {
    await other.query("BEGIN");
    await other.query("UPDATE guest SET name = 'Bea Ray' WHERE hotel_id = $1", [hotel.hotel.id]);
    expect(await nameOf()).toBe(earlier);
    await other.query("COMMIT");
    expect(await nameOf()).toBe("Bea Ray");
  } finally {
    other.release();
  }
});

it("refuses whoever lost the permission, and shows rooms only as long as they are granted", async () => {
  const clerk = await server.createOperator(hotel.hotel, {
    role: "staff",
    capabilities: ["rooms.view", "stays.view"],
    roomIds: [hotel.ids.roomId],
  });
  const { api } = await server.loginAs(clerk);
  expect((await api.timeline.read.query(DAYS)).rooms).toHaveLength(1);
  await write("DELETE FROM room_grant g USING membership m WHERE m.id = g.membership_id AND m.operator_id = $1", [
    clerk.id,
  ]);
  expect((await api.timeline.read.query(DAYS)).rooms).toEqual([]);
  await write("UPDATE membership SET capabilities = '{rooms.view}' WHERE operator_id = $1", [clerk.id]);
  expect(await failure(api.timeline.read.query(DAYS))).toMatchObject({ code: "no_permission" });
  expect(await failure(api.guests.list.query(PAGE))).toMatchObject({ code: "no_permission" });
});
