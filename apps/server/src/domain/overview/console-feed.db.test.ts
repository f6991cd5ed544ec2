import { type Capability, GRANTABLE_CAPABILITIES } from "@innkey/shared/capabilities";
import { type ConsoleEvent, TOPICS, type Topic } from "@innkey/shared/schemas/overview/events";
import type { BoardRoom } from "@innkey/shared/schemas/property/rooms";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { TestHotel } from "../../../test/harness/people.ts";
import { type SeededHotel, seedTestHotel } from "../../../test/harness/seeded-hotel.ts";
import { createTestServer, type TestServer } from "../../../test/harness/server.ts";
import { SOON } from "../../../test/harness/soon.ts";
import type { Relay } from "../../adapters/events/relay.ts";
import { createLogger } from "../../adapters/telemetry/logger.ts";
import { processMetrics } from "../../adapters/telemetry/metrics.ts";
import type { Scope } from "../../kernel/scope.ts";
import { ConsoleFeed, queueEvent } from "./console-feed.ts";

let server: TestServer;
let hotel: SeededHotel;
let elsewhere: TestHotel;
let owner: Scope;
let stranger: Scope;
const stops: (() => void)[] = [];

beforeAll(async () => {
  server = await createTestServer();
  hotel = await seedTestHotel(server, "Here");
  elsewhere = await server.createHotel();
  owner = await server.scopeOf(hotel.owner);
  stranger = await server.scopeOf(await server.createOperator(elsewhere, { role: "owner", apiKeyAuth: true }));
});
afterAll(() => server.close());
beforeEach(quiet);
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

/** Waits until everything written so far has been announced. */
async function quiet(): Promise<void> {
  const received = listen(owner);
  await write("UPDATE hotel SET notice = notice WHERE id = $1");
  await vi.waitFor(() => expect(topicsIn(received)).toContain("settings"), SOON);
}

const write = (text: string, hotelId = hotel.hotel.id) => server.database.pool.query(text, [hotelId]);
const staff = async (capabilities: Capability[], roomIds = [hotel.ids.roomId]) =>
  server.scopeOf(await server.createOperator(hotel.hotel, { role: "staff", capabilities, roomIds }));

/** Returns the events that a caller hears from now on. */
function listen(scope: Scope): ConsoleEvent[] {
  const received: ConsoleEvent[] = [];
  stops.push(server.services.consoleFeed.watch(scope, (events) => received.push(...events)));
  return received;
}

const topicsIn = (events: ConsoleEvent[]) =>
  events.flatMap((event) => (event.event === "changes" ? (event.data.topics ?? ["everything"]) : []));

/** For each topic a write, as a job or a lock's report makes it, and every permission that shows something of it. */
const CASES: Record<Topic, { sql: string; readers: Capability[] }> = {
  rooms: { sql: "UPDATE room SET sort = sort WHERE hotel_id = $1", readers: ["rooms.view"] },
  prices: {
    sql: "UPDATE price_template SET name = name WHERE hotel_id = $1",
    readers: ["rooms.view", "prices.manage"],
  },
  stays: {
    sql: "UPDATE stay SET breakfast = breakfast WHERE hotel_id = $1",
    readers: ["stays.view", "rooms.view", "breakfast.manage", "reports.view"],
  },
  breakfast: {
    sql: `INSERT INTO breakfast (hotel_id, stay_guest_id, date, used_at)
      SELECT hotel_id, id, '2020-01-01'::date + (random() * 1000000)::int, now() FROM stay_guest WHERE hotel_id = $1`,
    readers: ["breakfast.manage", "stays.view", "reports.view"],
  },
  handOver: {
    sql: "UPDATE hand_over_note SET text = text WHERE hotel_id = $1",
    readers: ["rooms.view"],
  },
  guestLinks: {
    sql: "UPDATE guest_link SET seen_at = seen_at WHERE hotel_id = $1",
    readers: ["stays.view"],
  },
  guestMessages: {
    sql: `INSERT INTO guest_message (hotel_id, stay_id, stay_guest_id, event, occurred_at, due_at)
      SELECT hotel_id, stay_id, id, 'changed', clock_timestamp(), 'infinity' FROM stay_guest WHERE hotel_id = $1 LIMIT 1`,
    readers: ["stays.view"],
  },
  guests: {
    sql: "UPDATE guest SET name = name WHERE hotel_id = $1",
    readers: ["stays.view", "rooms.view", "breakfast.manage"],
  },
  customers: {
    sql: "UPDATE customer SET name = name WHERE hotel_id = $1",
    readers: ["customers.view", "stays.view"],
  },
  money: {
    sql: `INSERT INTO withdrawal_account (hotel_id, type, name, number_box, number_end, updated_at)
      VALUES ($1, 'bank', '', '', '', now()) ON CONFLICT (hotel_id) DO UPDATE SET updated_at = now()`,
    readers: ["folio.view", "balance.view", "reports.view", "stays.view"],
  },
  keys: {
    sql: "UPDATE passcode SET person = person WHERE hotel_id = $1",
    readers: ["cards.view", "passcodes.view", "faces.view", "locks.view", "encryption.manage"],
  },
  readers: { sql: "UPDATE card_reader SET name = name || '.' WHERE hotel_id = $1", readers: ["cardReaders.view"] },
  locks: { sql: "UPDATE lock SET online = NOT online WHERE hotel_id = $1", readers: ["locks.view"] },
  staff: { sql: "UPDATE membership SET role = role WHERE hotel_id = $1", readers: ["staff.view"] },
  settings: { sql: "UPDATE hotel SET wifi_name = '.' WHERE id = $1", readers: ["hotel.view"] },
  integrations: {
    sql: "UPDATE api_key SET name = name || '.' WHERE hotel_id = $1",
    readers: ["integrations.manage"],
  },
  exports: { sql: "UPDATE export SET file_name = file_name || '.' WHERE hotel_id = $1", readers: ["exports.make"] },
  outbox: {
    sql: `INSERT INTO outgoing_message (id, hotel_id, channel, recipient, body_box)
      VALUES (gen_random_uuid(), $1, 'mail', 'x@example.test', '')`,
    readers: ["outbox.view"],
  },
  audit: {
    sql: `SELECT commit_write($1, now(), '{"kind":"system","name":"x","door":"system","address":"","requestId":""}',
      '[{"action":"room.status","entity":"room","entityId":"1"}]', false, NULL)`,
    readers: ["audit.view"],
  },
};

describe.each(TOPICS)("a change of %s", (topic) => {
  const { sql, readers } = CASES[topic];

  it("is sent to those who can see it, and to no stranger and no colleague without the permission", async () => {
    const allowed = listen(owner);
    const colleague = listen(await staff(GRANTABLE_CAPABILITIES.filter((name) => !readers.includes(name))));
    const foreign = listen(stranger);
    await quiet();
    for (const received of [allowed, colleague, foreign]) received.length = 0;

    await write(sql);
    await vi.waitFor(() => expect(topicsIn(allowed)).toEqual([topic]), SOON);
    expect(topicsIn(colleague)).toEqual([]);
    await write("UPDATE hotel SET wifi_name = wifi_name WHERE id = $1", elsewhere.id);
    await vi.waitFor(() => expect(topicsIn(foreign)).toEqual(["settings"]), SOON);
  });

  it.each(readers.filter((name) => GRANTABLE_CAPABILITIES.includes(name)))("is sent to staff with %s", async (name) => {
    const received = listen(await staff([name]));
    await write(sql);
    await vi.waitFor(() => expect(topicsIn(received)).toContain(topic), SOON);
  });
});

describe("a hotel's tables", () => {
  /** Tables that announce nothing by themselves, with the reason. */
  const SILENT: Record<string, string> = {
    board_room: "The board has an event of its own.",
    guest_link_device: "It is written together with its link.",
    hand_over_note_read: "Only the reader's own count depends on it, and their console reads it again.",
    hotel_state: "The board's version and the audit's head: the first has an event of its own, the second a table.",
    linked_event: "A note of the connection, which no page shows.",
    lock_log: "A note of the connection, which no page shows.",
    lock_power_day: "It is written once a day, and the level that it repeats is announced with its lock.",
    alert: "Alerts have an event of their own.",
    receipt: "The number is read with the document that it stands on.",
    session: "It is written with every request, and nobody but its operator sees it.",
    stored_file: "A picture is shown by the row that names it.",
    unlock_record: "Door records have an event of their own, with their rooms.",
    webhook_delivery: "Deliveries come by the thousand; the page asks while some wait.",
    zigbee_slot: "A note of the connection, which no page shows.",
  };

  it("announce each insert, update and delete under the topics above, or give a reason not to", async () => {
    const { rows } = await server.database.pool.query<{ table: string; events: number }>(
      `SELECT c.table_name AS "table", (SELECT count(*)::int FROM pg_trigger t
          WHERE t.tgrelid = to_regclass(quote_ident(c.table_name)) AND t.tgname LIKE '%\\_notice') AS events
        FROM information_schema.columns c JOIN information_schema.tables t USING (table_schema, table_name)
        WHERE c.table_schema = 'public' AND t.table_type = 'BASE TABLE' AND c.column_name = 'hotel_id' ORDER BY 1`,
    );
    expect(rows.length).toBeGreaterThan(40);
    const silent = rows.filter(({ events }) => events === 0).map(({ table }) => table);
    expect(silent).toEqual(Object.keys(SILENT).sort());
    expect(rows.filter(({ events }) => events !== 0 && events !== 3)).toEqual([]);
  });

  /** Columns of tables with a comparison of their own in which programs only note that they are alive. */
  const QUIET: Record<string, string[]> = {
    api_key: ["last_used_address", "last_used_at"],
    calendar_feed: ["changed_at", "content_tag", "last_read_at"],
    card_reader: ["last_seen_at"],
    device_link: ["last_seen_at"],
    export: ["alive_at", "rows_done"],
    lock: ["drift_seconds", "event_base", "event_log", "event_seq", "last_seen_at", "otp_floor", "otp_next"],
    webhook: ["claimed_until", "next_try_at"],
  };

  it("compare every column with information, including one that was added later", async () => {
    const { rows } = await server.database.pool.query<{ table: string; quiet: string[] }>(
      `SELECT t.tgrelid::regclass::text AS "table", array_agg(a.attname::text ORDER BY a.attname) AS quiet
        FROM pg_trigger t JOIN pg_attribute a ON a.attrelid = t.tgrelid AND a.attnum > 0 AND NOT a.attisdropped
        WHERE t.tgname LIKE '%\\_update_notice' AND pg_get_triggerdef(t.oid) LIKE '%DISTINCT%'
          AND t.tgrelid <> 'lock_command'::regclass
          AND pg_get_triggerdef(t.oid) !~ ('old[.]' || quote_ident(a.attname) || ' ')
        GROUP BY 1 ORDER BY 1`,
    );
    expect(Object.fromEntries(rows.map(({ table, quiet }) => [table, quiet]))).toEqual(QUIET);
  });
});

it("collects the changes of one commit, with the board, into one batch", async () => {
  const batches: ConsoleEvent[][] = [];
  stops.push(server.services.consoleFeed.watch(owner, (events) => batches.push(events)));
  await hotel.ownerDesk.api.rooms.setStatus.mutate({ roomIds: [hotel.ids.freeRoomId], status: "dirty" });
  await vi.waitFor(() => expect(batches).toHaveLength(1), SOON);
  expect(batches[0]).toMatchObject([
    {
      event: "board",
      data: {
        version: expect.stringMatching(/^\d+$/),
        difference: { rooms: [{ id: hotel.ids.freeRoomId, status: "dirty" }] },
      },
    },
    { event: "changes", data: { topics: expect.arrayContaining(["rooms", "audit"]) } },
  ]);
});

it("sends the rooms that changed, to staff only their own, and none to those who must read the whole board", async () => {
  await write("UPDATE room SET condition = 'clean' WHERE hotel_id = $1");
  const events = (received: ConsoleEvent[]) => received.filter(({ event }) => event === "board");
  const own = listen(owner);
  const cleaner = listen(await staff(["rooms.view"], [hotel.ids.roomId]));
  const noBoard = listen(await staff(["unlocks.view"]));
  const foreign = listen(stranger);
  const { roomId, freeRoomId } = hotel.ids;
  await hotel.ownerDesk.api.rooms.setStatus.mutate({ roomIds: [freeRoomId], status: "dirty" });
  await vi.waitFor(() => expect(events(own)).toHaveLength(1), SOON);
  expect(events(cleaner)).toMatchObject([{ data: { difference: { rooms: [] } } }]);
  await hotel.ownerDesk.api.rooms.setStatus.mutate({ roomIds: [roomId], status: "dirty" });
  await vi.waitFor(() => expect(events(own)).toHaveLength(2), SOON);
  expect(events(cleaner)[1]).toMatchObject({ data: { difference: { rooms: [{ id: roomId }] } } });
  const [first, second] = events(own);
  expect(second).toMatchObject({
    data: { difference: { since: first?.data && "version" in first.data && first.data.version } },
  });
  await hotel.ownerDesk.api.groups.save.mutate({ name: "East", sort: 9 });
  await vi.waitFor(() => expect(events(own)).toHaveLength(3), SOON);
  expect(events(own)[2]).toMatchObject({ data: { version: expect.any(String), difference: null } });
  expect(events(noBoard)).toEqual([]);
  expect(events(foreign)).toEqual([]);
});

it("ignores a lock or a reader that only reports being alive", async () => {
  const received = listen(owner);
  await write("UPDATE lock SET last_seen_at = now(), event_seq = event_seq + 1 WHERE hotel_id = $1");
  await write("UPDATE card_reader SET last_seen_at = now() WHERE hotel_id = $1");
  await write("UPDATE hotel SET notice = notice WHERE id = $1");
  await vi.waitFor(() => expect(topicsIn(received)).toEqual(["settings"]), SOON);
});

it("ignores a write that is rolled back", async () => {
  const received = listen(owner);
  const client = await server.database.pool.connect();
  await client.query("BEGIN");
  await client.query("UPDATE guest SET name = 'X' WHERE hotel_id = $1", [hotel.hotel.id]);
  await client.query("ROLLBACK");
  client.release();
  await write("UPDATE hotel SET notice = notice WHERE id = $1");
  await vi.waitFor(() => expect(topicsIn(received)).toEqual(["settings"]), SOON);
});

it("combines a burst into a few events", async () => {
  let batches = 0;
  const seen = new Set<string>();
  stops.push(
    server.services.consoleFeed.watch(owner, (events) => {
      batches += 1;
      for (const about of topicsIn(events)) seen.add(about);
    }),
  );
  await Promise.all([...TOPICS, ...TOPICS].map((topic) => write(CASES[topic].sql)));
  await vi.waitFor(() => expect(seen.size).toBe(TOPICS.length), SOON);
  expect(batches).toBeLessThan(TOPICS.length);
});

it("asks the reader to reload everything visible after a gap, and announces rooms only to those who see them", async () => {
  const all = listen(owner);
  const doors = listen(await staff(["unlocks.view"]));
  const nothing = listen(await staff(["unlocks.view"], [hotel.ids.freeRoomId]));
  const notice = { topic: "unlocks", hotelId: hotel.hotel.id, roomIds: [hotel.ids.roomId] };
  server.services.consoleFeed.onMessage(notice);
  await vi.waitFor(() => expect(doors).toEqual([{ event: "unlocks", data: { roomIds: [hotel.ids.roomId] } }]), SOON);
  expect(nothing).toEqual([]);
  all.length = 0;
  server.services.consoleFeed.onGap();
  const everything = [
    { event: "board", data: { version: null, difference: null } },
    { event: "unlocks", data: { roomIds: null } },
    { event: "alerts", data: {} },
    { event: "changes", data: { topics: null } },
  ];
  await vi.waitFor(() => expect(all).toEqual(everything), SOON);
  expect(nothing).toEqual([everything[1], everything[3]]);
});

it("logs and counts a difference that can't be read, and asks the readers to read the board again", async () => {
  const lines: string[] = [];
  const log = createLogger("warn", { write: (line: string) => lines.push(line) });
  const relay: Pick<Relay, "subscribe"> = { subscribe: () => () => undefined };
  const failing = { changesSince: () => Promise.reject(new Error("no connection")) };
  const feed = new ConsoleFeed(relay, failing, log);
  const received: ConsoleEvent[] = [];
  stops.push(feed.watch(owner, (events) => received.push(...events)));
  const count = async () =>
    (await processMetrics.getSingleMetric("innkey_board_changes_failed_total")?.get())?.values[0];
  const before = (await count())?.value ?? 0;

  feed.onMessage({ topic: "board", hotelId: hotel.hotel.id, version: 7 });
  await vi.waitFor(
    () => expect(received).toEqual([{ event: "board", data: { version: "7", difference: null } }]),
    SOON,
  );
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { hotelId: hotel.hotel.id, err: { message: "no connection" }, msg: "what changed on the board can't be read" },
  ]);
  expect((await count())?.value).toBe(before + 1);

  feed.onMessage({ topic: "change", hotelId: hotel.hotel.id, about: "guests" });
  await vi.waitFor(() => expect(topicsIn(received)).toEqual(["guests"]), SOON);
});

it("reports a gap once a broken database connection is back, and then new changes", async () => {
  const received = listen(owner);
  await server.database.pool.query(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'innkey relay' AND datname = current_database()",
  );
  await vi.waitFor(() => expect(received).toContainEqual({ event: "changes", data: { topics: null } }), SOON);
  await write("UPDATE guest SET name = name WHERE hotel_id = $1");
  await vi.waitFor(() => expect(topicsIn(received)).toContain("guests"), SOON);
});

it("merges the events that wait for a slow reader", () => {
  const rooms = (roomIds: number[] | null): ConsoleEvent => ({ event: "unlocks", data: { roomIds } });
  expect(queueEvent([rooms([1, 2])], rooms([2, 3]))).toEqual([rooms([1, 2, 3])]);
  expect(queueEvent([rooms(null)], rooms([2]))).toEqual([rooms(null)]);
  const change = (since: number, version: number, ...ids: number[]): ConsoleEvent => ({
    event: "board",
    data: {
      version: String(version),
      difference: {
        ...{ version: String(version), since: String(since), etag: `"${version}"`, changesAt: "" },
        rooms: ids.map((id) => ({ id, sort: version }) as BoardRoom),
      },
    },
  });
  const joined = queueEvent([change(1, 2, 7, 8)], change(2, 4, 8, 9))[0];
  expect(joined).toMatchObject({
    data: {
      version: "4",
      difference: {
        since: "1",
        etag: '"4"',
        rooms: [
          { id: 7, sort: 2 },
          { id: 8, sort: 4 },
          { id: 9, sort: 4 },
        ],
      },
    },
  });
  const changesLater = (event: ConsoleEvent): ConsoleEvent =>
    event.event === "board" && event.data.difference
      ? { event: "board", data: { ...event.data, difference: { ...event.data.difference, changesAt: "later" } } }
      : event;
  const versionIn = (event: ConsoleEvent) => (event.event === "board" ? event.data.version : null);
  const whole: ConsoleEvent = { event: "board", data: { version: "5", difference: null } };
  for (const [earlier, later] of [
    [change(1, 2, 7), whole],
    [whole, change(5, 6, 7)],
    [change(1, 2, 7), change(3, 4, 7)],
    [change(1, 2, 7), changesLater(change(2, 3, 8))],
  ] as const) {
    expect(queueEvent([earlier], later)).toMatchObject([{ data: { version: versionIn(later), difference: null } }]);
  }
});
