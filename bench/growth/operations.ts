import { setTimeout as delay } from "node:timers/promises";
import type { Database } from "../../apps/server/src/adapters/postgres/client.ts";
import { findDueLocks } from "../../apps/server/src/domain/access/lock-commands/deliver-commands.ts";
import { enqueueDueReadBacks } from "../../apps/server/src/domain/access/lock-commands/upkeep.ts";
import { UnlockIngest } from "../../apps/server/src/domain/access/unlocks/ingest.ts";
import type { LockEvent } from "../../packages/shared/src/locks/protocol.ts";
import { measureMs } from "../measuring/durations.ts";
import type { Desk } from "./desk.ts";
import { NEWEST_NUMBER } from "./fill-records.ts";
import type { Ground } from "./ground.ts";
import type { GrowthSizes } from "./sizes.ts";

/** What a cost may grow with: nothing, the hotel's rooms that the answer covers, or all locks of the installation. */
export type Follows = "nothing" | "rooms" | "locks";

export interface Operation {
  name: string;
  follows: Follows;
  calls: number;
  /** returns the milliseconds of one call, without its preparation and cleanup */
  run(call: number): Promise<number>;
}

export interface Workbench {
  desk: Desk;
  database: Database;
  ground: Ground;
  sizes: Pick<GrowthSizes, "calls" | "exported">;
}

const MOST_EXPORTS = 5;
const EVENTS = 60;
const LOOK_MS = 10;
const KEYWORDS = ["mül", "smi", "gar", "ros", "ива", "куз", "zoë", "pet", "sof", "han"];

/** Returns all measured operations in the order of the report, with the writing ones last. */
export function operationsOf({ desk, database, ground, sizes }: Workbench): Operation[] {
  const { hotelId, roomId, today } = ground;
  const { calls, exported } = sizes;
  const read = (name: string, act: (call: number) => Promise<unknown>, follows: Follows = "nothing"): Operation => ({
    ...{ name, follows, calls },
    run: (call) => measureMs(() => act(call)),
  });
  const records = (cursor?: string): string =>
    `/api/rooms/${roomId}/unlocks${cursor ? `?cursor=${encodeURIComponent(cursor)}` : ""}`;
  const refused = { success: false, style: "card", limit: 20 } as const;
  const touch = (): Promise<unknown> =>
    database.pool.query("SELECT raise_board($1, ARRAY[$2]::int[])", [hotelId, roomId]);
  let etag = "";
  return [
    read("board, first read", async () => (etag = (await desk.get("/api/board")).etag), "rooms"),
    read("board, nothing new (304)", () => desk.get("/api/board", { "if-none-match": etag }, 304)),
    {
      ...{ name: "board, after a change", follows: "rooms", calls },
      async run() {
        await touch();
        return measureMs(() => desk.get("/api/board"));
      },
    },
    {
      ...{ name: "board, what a change changed", follows: "nothing", calls },
      async run() {
        ({ etag } = await desk.get("/api/board"));
        await touch();
        return measureMs(() => desk.get(`/api/board?since=${encodeURIComponent(etag)}`));
      },
    },
    read("rooms, a page of 20", () => desk.query("rooms.page", { page: 1, pageSize: 20 }), "rooms"),
    read("overview", () => desk.query("home.overview"), "rooms"),
    read("night audit", () => desk.query("nightAudit.read", {}), "rooms"),
    read(
      "guests in the house, a page",
      () => desk.query("guests.list", { state: "in", page: 1, pageSize: 20 }),
      "rooms",
    ),
    read("guests of all time, a page", () => desk.query("guests.list", { page: 1, pageSize: 20 })),
    read(
      "bills of this month, a page and their sums",
      () => desk.query("folio.list", { page: 1, pageSize: 20, from: ground.monthAgo }),
      "rooms",
    ),
    read(
      "bills of all time, a page and their sums",
      () => desk.query("folio.list", { page: 1, pageSize: 20 }),
      "rooms",
    ),
    read("check-in history, newest", () => desk.query("stays.history", {})),
    read("search, 3 letters", (call) => desk.query("search.find", { query: KEYWORDS[call % KEYWORDS.length] })),
    read("records of a room, newest 20", () => desk.get(records())),
    read("records of a room, in the middle", () => desk.get(records(ground.roomCursor))),
    read("records of the house, newest 20", () => desk.query("unlocks.ofHouse", { limit: 20 })),
    read("records of the house, refused cards", () => desk.query("unlocks.ofHouse", refused)),
    read("refused cards, in the middle", () =>
      desk.query("unlocks.ofHouse", { ...refused, cursor: ground.hotelCursor }),
    ),
    read("door traffic of today", () => desk.query("unlocks.traffic", { roomId: null, date: today, span: "day" })),
    exportOperation(desk, ground, { exported, calls: Math.min(calls, MOST_EXPORTS) }),
    read("lock sweep, all hotels", () => findDueLocks(database.pool, new Date(), ["mqtt"])),
    read(
      "locks to ask what they hold",
      () => enqueueDueReadBacks(database.pool, async () => null, new Date()),
      "locks",
    ),
    ingestOperation(database, ground, calls),
    ...checkInOperations(desk, ground, calls),
  ];
}

interface ExportRow {
  id: string;
  state: string;
}

function exportOperation(
  desk: Desk,
  { newest, exportFrom }: Ground,
  { exported, calls }: Workbench["sizes"],
): Operation {
  const columns = ["at", "room", "style", "result", "reason", "guest", "holder", "operator", "source", "content"];
  const request = { list: "unlocks", filters: { from: exportFrom, to: newest }, columns, format: "csv" };
  return {
    ...{ name: `export of ${exported.toLocaleString("en")} records`, follows: "nothing", calls },
    async run() {
      let id = "";
      const took = await measureMs(async () => {
        ({ id } = await desk.post<ExportRow>("/api/exports", request));
        for (let state = ""; state !== "done"; ) {
          await delay(LOOK_MS);
          state = (await desk.query<ExportRow[]>("exports.list")).find((row) => row.id === id)?.state ?? "failed";
          if (state === "failed") throw new Error("the export failed");
        }
      });
      await desk.mutate("exports.remove", { exportId: id });
      return took;
    },
  };
}

/** A lock that was offline for a day reports its events, as the device driver passes them on. */
function ingestOperation(database: Database, { lock }: Ground, calls: number): Operation {
  const ingest = new UnlockIngest({ database, clock: { now: () => new Date() }, log: { info() {} } });
  let seq = NEWEST_NUMBER;
  return {
    ...{ name: `unlock ingest, a report of ${EVENTS}`, follows: "nothing", calls },
    run() {
      const at = new Date().toISOString();
      const events = Array.from(
        { length: EVENTS },
        (): LockEvent => ({ seq: ++seq, at, style: "inside", success: true }),
      );
      return measureMs(() => ingest.events(lock, events));
    },
  };
}

function checkInOperations(desk: Desk, { freeRoomId, tomorrow }: Ground, calls: number): Operation[] {
  let stayId = 0;
  const checkIn = async (call: number): Promise<number> =>
    measureMs(async () => {
      ({ stayId } = await desk.mutate<{ stayId: number }>("stays.checkIn", {
        ...{ roomId: freeRoomId, unit: "day", startsAt: new Date().toISOString(), endsAt: tomorrow, channel: "card" },
        guests: [{ name: `Grown Guest ${call}` }],
        ...{ confirmDirty: true, confirmAlreadyIn: true, depositMinor: 0 },
      }));
    });
  const checkOut = (): Promise<number> =>
    measureMs(() => desk.mutate("stays.checkOut", { stayId, confirmUnpaid: true }));
  return [
    {
      ...{ name: "check-in", follows: "nothing", calls },
      async run(call) {
        const took = await checkIn(call);
        await checkOut();
        return took;
      },
    },
    {
      ...{ name: "check-out", follows: "nothing", calls },
      async run(call) {
        await checkIn(call);
        return checkOut();
      },
    },
  ];
}
