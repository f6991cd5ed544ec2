import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import type { ExportRow } from "@innkey/shared/schemas/data";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Browser, failure } from "../../../../test/harness/browser.ts";
import { idleQueue } from "../../../../test/harness/idle-queue.ts";
import type { TestHotel, TestOperator } from "../../../../test/harness/people.ts";
import { createTestServer, type TestServer } from "../../../../test/harness/server.ts";
import { diskFiles, type LargeFileStorage } from "../../../adapters/storage/storage.ts";
import { createLogger } from "../../../adapters/telemetry/logger.ts";
import { ExportWorker } from "./export-worker.ts";

const ROWS = 5001;
let server: TestServer;
let directory: string;
let hotel: TestHotel;
let owner: TestOperator;
let desk: Browser;
let added: string[] = [];

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "innkey-exports-"));
  server = await createTestServer();
  hotel = await server.createHotel();
  const lock = await server.database.prisma.lock.create({ data: { hotelId: hotel.id, mac: "02:00:00:00:0A:01" } });
  await server.database.pool.query(
    `INSERT INTO unlock_record (hotel_id, lock_id, lock_seq, at, style, success)
      SELECT $1, $2, n, timestamptz '2026-03-01' + n * interval '1 second', 'card', true FROM generate_series(1, $3) n`,
    [hotel.id, lock.id, ROWS],
  );
});
afterAll(async () => {
  await server.close();
  await rm(directory, { recursive: true, force: true });
});
beforeEach(async () => {
  added = [];
  await server.database.prisma.export.deleteMany();
  owner = await server.createOperator(hotel, { role: "owner" });
  desk = await server.loginAs(owner);
});

const ask = async (browser = desk): Promise<ExportRow> => {
  const payload = JSON.stringify({ list: "unlocks", columns: ["at", "style"], format: "csv", fileName: "Doors" });
  const answer = await browser.http("POST", "/api/exports", {
    headers: { "content-type": "application/json" },
    payload,
  });
  expect([answer.statusCode, answer.json().code]).toEqual([202, undefined]);
  return answer.json();
};
const rowOf = async (id: string) => (await desk.api.exports.list.query()).find((row) => row.id === id);

/** Creates a worker as another process would have it; `save` can be made slow or never return. */
function worker(save?: LargeFileStorage["save"]): ExportWorker {
  const storage = diskFiles(join(directory, "exports"));
  const { database, clock, services } = server;
  return new ExportWorker({
    database,
    clock,
    log: createLogger("fatal"),
    sessions: services.auth.sessions,
    exportStorage: save ? { ...storage, save } : storage,
    queue: {
      ...idleQueue,
      async add(_job, payload) {
        added.push((payload as { exportId: string }).exportId);
      },
    },
  });
}
const never = () => new Promise<never>(() => undefined);
const contentOf = async (id: string): Promise<string> => {
  const stream = await diskFiles(join(directory, "exports")).read(id);
  return stream ? (await buffer(stream)).toString() : "";
};

describe("a long list", () => {
  it("waits, is written in the background, and reports its progress", async () => {
    const request = await ask();
    expect(request).toMatchObject({
      state: "queued",
      rowsDone: 0,
      rowsTotal: ROWS,
      fileName: "Doors.csv",
      list: "unlocks",
    });
    await worker().run(request.id);
    const row = await rowOf(request.id);
    expect(row).toMatchObject({ state: "done", rowsDone: ROWS, error: "" });
    const content = await contentOf(request.id);
    expect(content.split("\r\n")).toHaveLength(ROWS + 2);
    expect(content.startsWith("\uFEFFTime,Access method\r\n2026-03-01 ")).toBe(true);
    expect(row?.sizeBytes).toBe(Buffer.byteLength(content));
  });

  it("can be fetched by its requester only", async () => {
    const { id } = await ask();
    await server.services.exportWorker.run(id);
    const path = `/api/exports/${id}/file`;
    const fetched = await desk.http("GET", path);
    expect(fetched.statusCode).toBe(200);
    expect(fetched.headers).toMatchObject({
      "content-type": "text/csv; charset=utf-8",
      "content-disposition": `attachment; filename="Doors.csv"; filename*=UTF-8''Doors.csv`,
      "cache-control": "private, no-store",
    });
    const colleague = await server.loginAs(await server.createOperator(hotel, { role: "owner" }));
    const stranger = await server.loginAs(await server.createOperator(await server.createHotel(), { role: "owner" }));
    for (const browser of [colleague, stranger]) {
      expect((await browser.http("GET", path)).json()).toMatchObject({ code: "not_found" });
      expect(await failure(browser.api.exports.cancel.mutate({ exportId: id }))).toMatchObject({ code: "not_found" });
      expect(await failure(browser.api.exports.remove.mutate({ exportId: id }))).toMatchObject({ code: "not_found" });
      expect(await browser.api.exports.list.query()).toEqual([]);
    }
    expect((await server.visitor().http("GET", path)).statusCode).toBe(401);
    expect((await desk.http("GET", "/api/exports/..%2f..%2fsecret/file")).statusCode).toBe(404);
    await desk.api.exports.remove.mutate({ exportId: id });
    expect((await desk.http("GET", path)).json()).toMatchObject({ code: "not_found" });
  });

  it("is refused to a requester who has lost a permission or a room since", async () => {
    const room = (name: string) => server.database.prisma.room.create({ data: { hotelId: hotel.id, name } });
    const [north, south] = [await room(`${owner.account} N`), await room(`${owner.account} S`)];
    await server.database.pool.query("UPDATE unlock_record SET room_id = $1", [north.id]);
    const capabilities = ["exports.make", "unlocks.view", "stays.view"] as const;
    const roomIds = [north.id, south.id];
    const clerk = await server.createOperator(hotel, { role: "staff", capabilities: [...capabilities], roomIds });
    const clerkDesk = await server.loginAs(clerk);
    const { id } = await ask(clerkDesk);
    await server.services.exportWorker.run(id);
    const fetched = async () => (await clerkDesk.http("GET", `/api/exports/${id}/file`)).statusCode;
    expect(await fetched()).toBe(200);
    const { membership, roomGrant } = server.database.prisma;
    const where = { operatorId: clerk.id };
    const { id: membershipId } = await membership.findFirstOrThrow({ where });
    await roomGrant.deleteMany({ where: { roomId: north.id } });
    expect(await fetched(), "a room was withdrawn").toBe(403);
    await roomGrant.create({ data: { hotelId: hotel.id, membershipId, roomId: north.id } });
    expect(await fetched()).toBe(200);
    await membership.updateMany({ where, data: { capabilities: ["exports.make", "unlocks.view"] } });
    expect(await fetched(), "names are hidden now").toBe(403);
    await membership.updateMany({ where, data: { role: "administrator" } });
    expect(await fetched(), "more permissions than before").toBe(200);
    await membership.updateMany({ where, data: { role: "staff", capabilities: ["exports.make"] } });
    expect(await fetched(), "no permission for the list").toBe(403);
  });

  it("fails when the requester loses the permission before it is written", async () => {
    const capabilities = ["exports.make", "unlocks.view"] as const;
    const roomId = (await server.database.prisma.room.create({ data: { hotelId: hotel.id, name: owner.account } })).id;
    await server.database.pool.query("UPDATE unlock_record SET room_id = $1", [roomId]);
    const clerk = await server.createOperator(hotel, {
      role: "staff",
      capabilities: [...capabilities],
      roomIds: [roomId],
    });
    const clerkDesk = await server.loginAs(clerk);
    const { id } = await ask(clerkDesk);
    const { membership } = server.database.prisma;
    const where = { operatorId: clerk.id };
    await membership.updateMany({ where, data: { capabilities: ["exports.make"] } });
    await worker().run(id);
    expect(await clerkDesk.api.exports.list.query()).toMatchObject([{ state: "failed", error: "no_permission" }]);
    await membership.updateMany({ where, data: { capabilities: [...capabilities] } });
    const again = await ask(clerkDesk);
    await server.services.exportWorker.run(again.id);
    await membership.updateMany({ where, data: { capabilities: ["exports.make"] } });
    expect((await clerkDesk.http("GET", `/api/exports/${again.id}/file`)).json()).toMatchObject({
      code: "no_permission",
    });
  });

  it("can be cancelled while it waits and while it is being written", async () => {
    const waiting = await ask();
    expect(await desk.api.exports.cancel.mutate({ exportId: waiting.id })).toMatchObject({ state: "cancelled" });
    await worker().run(waiting.id);
    expect(await rowOf(waiting.id)).toMatchObject({ state: "cancelled", rowsDone: 0 });

    const { id } = await ask();
    const disk = diskFiles(join(directory, "exports"));
    await worker(async (fileId, parts) => {
      await desk.api.exports.cancel.mutate({ exportId: id });
      return disk.save(fileId, parts);
    }).run(id);
    expect(await rowOf(id)).toMatchObject({ state: "cancelled" });
    expect(await contentOf(id)).toBe("");
    expect(await failure(desk.api.exports.cancel.mutate({ exportId: id }))).toMatchObject({ code: "state_conflict" });
  });

  it("restarts after its writer was silent for 30 seconds", async () => {
    const { id } = await ask();
    void worker(never).run(id);
    await expect.poll(async () => (await rowOf(id))?.state).toBe("running");
    await worker().run(id);
    expect(await rowOf(id)).toMatchObject({ state: "running" });
    // A killed worker sends no heartbeat, so we age its last one.
    await server.database.pool.query("UPDATE export SET alive_at = alive_at - interval '31 seconds' WHERE id = $1", [
      id,
    ]);
    await worker().sweep();
    expect(added).toEqual([id]);
    await worker().run(id);
    expect(await rowOf(id)).toMatchObject({ state: "done", rowsDone: ROWS });
    expect((await contentOf(id)).split("\r\n")).toHaveLength(ROWS + 2);
  });

  it("returns to the queue when its process ends", async () => {
    const { id } = await ask();
    const ending = worker(never);
    void ending.run(id);
    await expect.poll(async () => (await rowOf(id))?.state).toBe("running");
    await ending.close();
    expect(await rowOf(id)).toMatchObject({ state: "queued" });
    await worker().run(id);
    expect(await rowOf(id)).toMatchObject({ state: "done" });
  });

  it("returns to the queue when its process ends while the worker is claiming it", async () => {
    const { id } = await ask();
    const ending = worker(never);
    void ending.run(id);
    await ending.close();
    expect(await rowOf(id)).toMatchObject({ state: "queued" });
  });

  it("reports a failure, and leaves no partial file", async () => {
    const { id } = await ask();
    await worker(async () => {
      throw new Error("the disk is full");
    }).run(id);
    expect(await rowOf(id)).toMatchObject({ state: "failed", error: "internal" });
    expect((await desk.http("GET", `/api/exports/${id}/file`)).json()).toMatchObject({ code: "export_gone" });
  });

  it("is deleted with its file after 24 hours", async () => {
    const { id } = await ask();
    const ownWorker = worker();
    await ownWorker.run(id);
    server.clock.advance(24 * 3_600_000 - 1);
    await ownWorker.sweep();
    expect(await contentOf(id)).not.toBe("");
    server.clock.advance(1);
    await ownWorker.sweep();
    expect(await contentOf(id)).toBe("");
    expect(await server.database.prisma.export.count({ where: { id } })).toBe(0);
    const remainingFiles = await readdir(join(directory, "exports"), { recursive: true });
    expect(remainingFiles.filter((name) => name.includes(id))).toEqual([]);
  });

  it("is one of at most three unfinished ones, even when they are requested at once", async () => {
    const payload = JSON.stringify({ list: "unlocks", columns: ["at"], format: "csv" });
    const headers = { "content-type": "application/json" };
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => desk.http("POST", "/api/exports", { headers, payload })),
    );
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([202, 202, 202, 409, 409]);
    expect(answers.find(({ statusCode }) => statusCode === 409)?.json()).toMatchObject({ code: "exports_unfinished" });
    const colleague = await server.loginAs(await server.createOperator(hotel, { role: "owner" }));
    await ask(colleague);
  });

  it("stores the search terms encrypted until it is written", async () => {
    const payload = JSON.stringify({
      ...{ list: "unlocks", columns: ["at"], format: "csv" },
      filters: { style: "card" },
    });
    const answer = await desk.http("POST", "/api/exports", {
      headers: { "content-type": "application/json" },
      payload,
    });
    const { request } = await server.database.prisma.export.findUniqueOrThrow({ where: { id: answer.json().id } });
    expect(JSON.stringify(request)).not.toContain("style");
  });
});
