import { setTimeout as delay } from "node:timers/promises";
import { type ConsoleEvent, consoleEvent } from "@innkey/shared/schemas/overview/events";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import type { Browser } from "../../../../test/harness/browser.ts";
import type { TestHotel } from "../../../../test/harness/people.ts";
import { createTestServer, type TestServer } from "../../../../test/harness/server.ts";
import { SOON } from "../../../../test/harness/soon.ts";
import { UnlockIngest } from "../../../domain/access/unlocks/ingest.ts";

let server: TestServer;
let address: string;
let hotel: TestHotel;
let desk: Browser;
let room: number;
let seq = 0;
const open: AbortController[] = [];

beforeAll(async () => {
  server = await createTestServer();
  address = await server.listen();
});
afterAll(() => server.close());
beforeEach(async () => {
  hotel = await server.createHotel();
  desk = await server.loginAs(await server.createOperator(hotel, { role: "owner" }));
  ({ roomId: room } = await desk.api.rooms.save.mutate({ name: "101", groupId: null, lock: { mac: MAC } }));
});
afterEach(() => {
  for (const controller of open.splice(0)) controller.abort();
});

const MAC = "02:00:00:00:01:01";

interface Stream {
  status: number;
  type: string | null;
  /** Everything received so far */
  text: () => string;
  ended: Promise<void>;
}

async function listen(browser: Browser): Promise<Stream> {
  const controller = new AbortController();
  open.push(controller);
  const headers = { cookie: `smart_lock_userinfo=${browser.cookie}` };
  const response = await fetch(`${address}/api/events`, { headers, signal: controller.signal });
  const decoder = new TextDecoder();
  let text = "";
  const ended = (async () => {
    for await (const chunk of response.body ?? []) text += decoder.decode(chunk);
  })();
  ended.catch(() => undefined);
  return { status: response.status, type: response.headers.get("content-type"), text: () => text, ended };
}

/** Returns the events of a stream. @throws ZodError for one that is not of the contract */
const eventsOf = (stream: Stream): ConsoleEvent[] =>
  [...stream.text().matchAll(/^event: (.*)\ndata: (.*)\n\n/gm)].map(([, event, data]) =>
    consoleEvent.parse({ event, data: JSON.parse(data ?? "") }),
  );
const topicsOf = (stream: Stream) =>
  eventsOf(stream).flatMap((event) => (event.event === "changes" ? (event.data.topics ?? []) : []));

const versionOf = async (): Promise<string> => (await desk.http("GET", "/api/board")).json().version;
const board = (version: string, difference: unknown = null) => ({ event: "board", data: { version, difference } });
const setDirty = () => desk.api.rooms.setStatus.mutate({ roomIds: [room], status: "dirty" });
const tamper = () =>
  new UnlockIngest({ database: server.database, clock: server.clock, log: { info: () => undefined } }).events(
    { hotelId: hotel.id, mac: MAC },
    [{ seq: ++seq, at: server.clock.now().toISOString(), style: "card", success: true, alarm: "tamper" }],
  );

it("sends the board's version, and changes made by another desk or at a door", async () => {
  const other = await server.loginAs(await server.createOperator(hotel, { role: "administrator" }));
  const stream = await listen(other);
  expect(stream.type).toBe("text/event-stream; charset=utf-8");
  const before = await versionOf();
  await vi.waitFor(() => expect(eventsOf(stream)).toContainEqual(board(before)), SOON);
  await setDirty();
  const after = await versionOf();
  const changed = expect.objectContaining({ rooms: [expect.objectContaining({ id: room, status: "dirty" })] });
  await vi.waitFor(() => expect(eventsOf(stream)).toContainEqual(board(after, changed)), SOON);
  await vi.waitFor(() => expect(topicsOf(stream)).toContain("rooms"), SOON);
  await tamper();
  await vi.waitFor(
    () => expect(eventsOf(stream)).toContainEqual({ event: "unlocks", data: { roomIds: [room] } }),
    SOON,
  );
  await vi.waitFor(() => expect(eventsOf(stream)).toContainEqual({ event: "alerts", data: {} }), SOON);
});

it("ends with its session, before the next event", async () => {
  const clerk = await server.createOperator(hotel, { role: "administrator" });
  const stream = await listen(await server.loginAs(clerk));
  await server.database.prisma.session.updateMany({
    where: { operatorId: clerk.id },
    data: { endedAt: server.clock.now(), endReason: "revoked" },
  });
  await setDirty();
  const version = await versionOf();
  await stream.ended;
  expect(stream.text()).not.toContain(`"${version}"`);
});

it.each(["a permission", "a room"])("ends when %s is withdrawn", async (what) => {
  const clerk = await server.createOperator(hotel, { role: "staff", capabilities: ["rooms.view"], roomIds: [room] });
  const stream = await listen(await server.loginAs(clerk));
  const ofClerk = { where: { membershipId: clerk.membershipId } };
  if (what === "a room") await server.database.prisma.roomGrant.deleteMany(ofClerk);
  else
    await server.database.prisma.membership.update({ where: { id: clerk.membershipId }, data: { capabilities: [] } });
  await setDirty();
  const version = await versionOf();
  await stream.ended;
  expect(stream.text()).not.toContain(`"${version}"`);
});

it("ends the oldest stream beyond twelve for a session and forty for an operator", async () => {
  const clerk = await server.createOperator(hotel, { role: "administrator" });
  const session = await server.loginAs(clerk);
  const streams: Stream[] = [];
  for (let at = 0; at < 13; at += 1) streams.push(await listen(session));
  await streams[0]?.ended;
  const others = await Promise.all(Array.from({ length: 4 }, () => server.loginAs(clerk)));
  for (const other of others) for (let at = 0; at < 8; at += 1) streams.push(await listen(other));
  await Promise.all(streams.slice(1, 5).map(({ ended }) => ended));
  const outcome = await Promise.race([streams[5]?.ended.then(() => "ended"), delay(100).then(() => "open")]);
  expect(outcome).toBe("open");
});

it("is refused to strangers, and sends nothing of another hotel or beyond the caller's permissions", async () => {
  expect((await listen(server.visitor())).status).toBe(401);
  const stranger = await server.loginAs(await server.createOperator(await server.createHotel(), { role: "owner" }));
  const elsewhere = await listen(stranger);
  const bystander = await listen(
    await server.loginAs(await server.createOperator(hotel, { role: "staff", roomIds: [room] })),
  );
  const ownStream = await listen(desk);
  await tamper();
  await setDirty();
  await vi.waitFor(() => expect(topicsOf(ownStream)).toContain("rooms"), SOON);
  await stranger.api.rooms.save.mutate({ name: "1", groupId: null });
  await vi.waitFor(() => expect(topicsOf(elsewhere)).toContain("rooms"), SOON);
  expect(eventsOf(elsewhere)[0]).toEqual(board("1"));
  expect(eventsOf(elsewhere).filter(({ event }) => event === "unlocks" || event === "alerts")).toEqual([]);
  expect(bystander.text()).toBe("retry: 1000\n\n");
});

it("ends when the server stops", async () => {
  const stopping = await createTestServer();
  const operator = await stopping.createOperator(await stopping.createHotel(), { role: "owner" });
  const { cookie } = await stopping.loginAs(operator);
  const url = `${await stopping.listen()}/api/events`;
  const response = await fetch(url, { headers: { cookie: `smart_lock_userinfo=${cookie}` } });
  const text = response.text();
  await stopping.close();
  expect(await text).toContain("event: board");
});
