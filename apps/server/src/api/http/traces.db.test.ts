import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { type ReceivedSpan, receiveTraces, type TraceReceiver } from "../../../test/clients/trace-receiver.ts";
import type { Browser } from "../../../test/harness/browser.ts";
import { createTestDatabase } from "../../../test/harness/database.ts";
import { createTestServer, type TestServer } from "../../../test/harness/server.ts";
import { tracePool } from "../../adapters/postgres/client.ts";
import { createJobQueue, type Job } from "../../adapters/queue/queue.ts";
import { createLogger } from "../../adapters/telemetry/logger.ts";
import type { Tracing } from "../../adapters/telemetry/otlp-tracing.ts";
import { activeTracing, startTracing } from "../../adapters/telemetry/tracing.ts";

const GUEST = "Annabel Lee";
const OTHERS = { traceId: "4bf92f3577b34da6a3ce929d0e0e4736", spanId: "00f067aa0ba902b7" };
const TRACEPARENT = `00-${OTHERS.traceId}-${OTHERS.spanId}-01`;
let receiver: TraceReceiver;
beforeAll(async () => {
  receiver = await receiveTraces();
});
afterAll(() => receiver.close());
beforeEach(() => {
  receiver.spans.length = 0;
  receiver.bodies.length = 0;
});

const spansNamed = (name: string): ReceivedSpan[] => receiver.spans.filter((span) => span.name === name);

function only(name: string): ReceivedSpan {
  const [span, ...more] = spansNamed(name);
  if (!span || more.length > 0) throw new Error(`${more.length + (span ? 1 : 0)} spans ${name}`);
  return span;
}

async function traces(): Promise<Tracing> {
  const tracing = await startTracing({ endpoint: receiver.url, serviceName: "innkey-test" }, "0.0.0");
  if (!tracing) throw new Error("traces are off");
  return tracing;
}

/** Starts a server with a logged-in desk and a room. */
async function open(trustProxy: boolean): Promise<{ server: TestServer; desk: Browser; roomId: number }> {
  const server = await createTestServer({ trustProxy });
  const tracing = activeTracing();
  if (tracing) tracePool(server.database.pool, tracing);
  const desk = await server.loginAs(await server.createOperator(await server.createHotel(), { role: "owner" }));
  const { roomId } = await desk.api.rooms.save.mutate({ name: "101", groupId: null });
  await desk.api.rooms.setPrices.mutate({
    roomIds: [roomId],
    prices: { depositMinor: 0, usualMinor: 10_000, weekendMinor: 10_000 },
  });
  return { server, desk, roomId };
}

function checkIn(server: TestServer, desk: Browser, roomId: number, headers: Record<string, string> = {}) {
  const from = server.clock.now().getTime();
  return desk.http("POST", "/api/trpc/stays.checkIn", {
    headers: { "content-type": "application/json", ...headers },
    payload: JSON.stringify({
      roomId,
      unit: "day",
      startsAt: new Date(from).toISOString(),
      endsAt: new Date(from + 86_400_000).toISOString(),
      guests: [{ name: GUEST, mobile: "", email: "" }],
    }),
  });
}

describe("without an endpoint", () => {
  it("no trace is made and nothing is sent", async () => {
    expect(await startTracing(undefined, "0.0.0")).toBeNull();
    expect(activeTracing()).toBeNull();
    const { server, desk, roomId } = await open(true);
    expect((await checkIn(server, desk, roomId)).statusCode).toBe(200);
    await server.close();
    expect(receiver.bodies).toEqual([]);
  });
});

describe("with an endpoint", () => {
  let tracing: Tracing;
  beforeEach(async () => {
    tracing = await traces();
  });
  afterEach(() => tracing.close());

  it("a check-in is one trace: the request, its procedure, its transaction and its statements", async () => {
    const { server, desk, roomId } = await open(true);
    const response = await checkIn(server, desk, roomId, { traceparent: TRACEPARENT });
    expect(response.statusCode).toBe(200);
    await server.close();
    await tracing.close();

    const request = only("POST /api/trpc/stays.checkIn");
    expect(request).toMatchObject({
      traceId: OTHERS.traceId,
      parentSpanId: OTHERS.spanId,
      failed: false,
      facts: {
        "http.route": "/api/trpc/stays.checkIn",
        "http.response.status_code": 200,
        "innkey.request.id": response.headers["x-request-id"],
      },
    });
    const procedure = only("procedure stays.checkIn");
    expect(procedure.parentSpanId).toBe(request.spanId);
    const unit = receiver.spans.find((span) => span.name === "transaction" && span.parentSpanId === procedure.spanId);
    expect(unit?.traceId).toBe(OTHERS.traceId);
    const statements = receiver.spans.filter(({ parentSpanId }) => parentSpanId === unit?.spanId);
    expect(statements.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["BEGIN", "insert-stay", "commit-write", "COMMIT"]),
    );
    expect(statements.every(({ facts }) => facts["db.system.name"] === "postgresql")).toBe(true);
    // The session's query belongs to the request, although it runs before the procedure.
    expect(receiver.spans.some(({ parentSpanId }) => parentSpanId === request.spanId)).toBe(true);
    for (const body of receiver.bodies) expect(body).not.toContain(GUEST);
  });

  it("only a trusted proxy can set the trace that a request belongs to", async () => {
    const { server, desk, roomId } = await open(false);
    await checkIn(server, desk, roomId, { traceparent: TRACEPARENT });
    await server.close();
    await tracing.close();
    expect(only("POST /api/trpc/stays.checkIn").traceId).not.toBe(OTHERS.traceId);
  });

  it("an unreadable trace header begins a new trace", async () => {
    const { server, desk, roomId } = await open(true);
    for (const traceparent of ["", "garbage", `${TRACEPARENT}-more`, "00-0-0-01"]) {
      await desk.http("GET", "/api/trpc/rooms.detail?input=x", { headers: { traceparent } });
    }
    await checkIn(server, desk, roomId);
    await server.close();
    await tracing.close();
    expect(spansNamed("GET /api/trpc/rooms.detail")).toHaveLength(4);
    expect(receiver.spans.every(({ traceId }) => /^(?!0+$)[0-9a-f]{32}$/.test(traceId))).toBe(true);
  });

  it("statements that waited for a connection belong to the span that ran them", async () => {
    const { server } = await open(true);
    const { pool } = server.database;
    const names = ["first", "second", "third", "fourth", "fifth", "sixth"];
    await Promise.all(
      names.flatMap((name) =>
        [1, 2, 3, 4].map((turn) =>
          tracing.span(`${name} ${turn}`, {}, () =>
            pool.query({ name: `${name}_${turn}`, text: "SELECT pg_sleep(0.01)" }),
          ),
        ),
      ),
    );
    await server.close();
    await tracing.close();
    for (const name of names) {
      for (const turn of [1, 2, 3, 4]) {
        expect(only(`${name}_${turn}`).parentSpanId).toBe(only(`${name} ${turn}`).spanId);
      }
    }
  });

  it("a job has a trace of its own, linked to its cause, with its failure but not the message", async () => {
    const { url, drop } = await createTestDatabase();
    const greet: Job<{ name: string }> = { name: "greet", payload: z.strictObject({ name: z.string() }) };
    const queue = createJobQueue({ databaseUrl: url, redisUrl: undefined, jobs: [greet], log: createLogger("fatal") });
    let ran = 0;
    queue.define(
      greet,
      async ({ name }) => {
        ran += 1;
        throw Object.assign(new Error(`no such guest: ${name}`), { code: "ENOGUEST" });
      },
      { attempts: 1 },
    );
    queue.start();
    await tracing.span("cause", {}, () => queue.add(greet, { name: GUEST }));
    await expect.poll(() => ran).toBe(1);
    await expect.poll(async () => (await queue.readCounts())[0]?.failed).toBe(1);
    expect(await queue.lastFailure("greet")).toMatchObject({ reason: `no such guest: ${GUEST}` });
    await queue.close();
    await drop();
    await tracing.close();
    const cause = only("cause");
    const job = only("job greet");
    expect(job).toMatchObject({ failed: true, parentSpanId: "", facts: { "error.type": "ENOGUEST" } });
    expect(job.traceId).not.toBe(cause.traceId);
    expect(job.links).toMatchObject([{ traceId: cause.traceId, spanId: cause.spanId }]);
    for (const body of receiver.bodies) expect(body).not.toContain(GUEST);
  });
});

it("an unreachable endpoint delays nothing", async () => {
  const secondReceiver = await receiveTraces();
  const { url } = secondReceiver;
  await secondReceiver.close();
  const tracing = await startTracing({ endpoint: url, serviceName: "innkey-test" }, "0.0.0");
  const { server, desk, roomId } = await open(true);
  expect((await checkIn(server, desk, roomId)).statusCode).toBe(200);
  await server.close();
  await tracing?.close();
  expect(activeTracing()).toBeNull();
});
