import { createHmac, timingSafeEqual } from "node:crypto";
import { WEBHOOK_EVENTS } from "@innkey/shared/webhook-events";
import { pino } from "pino";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { type Received, type Receiver, startReceiver } from "../../../../test/clients/receiver.ts";
import { createTestWorld, type TestHotel, type TestWorld, untilBlocked } from "../../../../test/harness/hotel.ts";
import { idleQueue } from "../../../../test/harness/idle-queue.ts";
import { type Scope, scopeFactory, systemScopes } from "../../../kernel/scope.ts";
import * as alerts from "../alerts/alerts.service.ts";
import { WebhookSender } from "./sender.ts";
import * as webhooks from "./webhooks.service.ts";
import { deliveries, list } from "./webhooks.service.ts";

const NOW = "2026-11-18T14:00:00.000Z";
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

let world: TestWorld;
let hotel: TestHotel;
let owner: Scope;
let sender: WebhookSender;
let receiver: Receiver;

const relay = { subscribe: () => () => undefined };

beforeAll(async () => {
  world = await createTestWorld(NOW);
});
afterAll(() => world.close());
beforeEach(async () => {
  world.clock.set(NOW);
  await world.database.prisma.webhook.deleteMany();
  hotel = await world.createHotel();
  owner = await hotel.scope("owner", { apiKeyAuth: true });
  sender = createSender();
  receiver = await startReceiver();
});
afterEach(() => receiver.close());

function createSender(): WebhookSender {
  const { database, clock, secrets } = world;
  const scopes = systemScopes(database, scopeFactory({ database, clock, secrets }));
  const webhookSender = new WebhookSender({
    database,
    clock,
    secrets,
    scopes,
    queue: idleQueue,
    relay,
    log: pino({ level: "silent" }),
  });
  webhookSender.allowLocal = true;
  return webhookSender;
}

async function subscribe(fields: { name?: string; url?: string } = {}): Promise<{ id: number; secret: string }> {
  const input = { name: "PMS", url: receiver.url, events: [...WEBHOOK_EVENTS], ...fields };
  const { id, secret } = await webhooks.save(owner, input, sender);
  return { id, secret: secret ?? "" };
}

/** Writes deliveries with numbers in their payload. */
async function happen(webhookId: number, from: number, to: number): Promise<void> {
  const same = { hotelId: hotel.id, webhookId, event: "unlock.opened", createdAt: world.clock.now() };
  const data = range(from, to).map((number) => ({ ...same, payload: { number } }));
  await world.database.prisma.webhookDelivery.createMany({ data });
}

/** Delivers, as the jobs do, until nothing is due. */
async function work(...senders: WebhookSender[]): Promise<void> {
  const workers = senders.length > 0 ? senders : [sender];
  for (let due = await sender.due(); due.length > 0; due = await sender.due()) {
    await Promise.all(workers.flatMap((worker) => due.map((id) => worker.deliver(id))));
  }
}

/** Advances the clock and sweeps after each step. */
async function pass(milliseconds: number, step = 10_000): Promise<void> {
  for (let remaining = milliseconds; remaining > 0; remaining -= step) {
    world.clock.advance(Math.min(step, remaining));
    await work();
  }
}

const numberOf = ({ body }: Received): number => JSON.parse(body).data.number;
const numbers = () => receiver.received.map(numberOf);
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i);
const row = async () => (await list(owner))[0] ?? expect.fail();
const openAlerts = async () =>
  (await alerts.list(owner, { state: "open", page: 1, pageSize: 20 })).rows.map(({ kind, params }) => [kind, params]);

/** Verifies the signature as a receiver would, following only the specification of Standard Webhooks. */
function verify({ headers, body }: Received, secret: string): boolean {
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const mac = createHmac("sha256", key).update(`${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`);
  const expected = mac.digest();
  return String(headers["webhook-signature"])
    .split(" ")
    .map((signature) => signature.split(","))
    .some(([version, value = ""]) => {
      const bytes = Buffer.from(value, "base64");
      return version === "v1" && bytes.length === expected.length && timingSafeEqual(bytes, expected);
    });
}

describe("an event", () => {
  it("is posted as JSON with an id, its time and a verifiable signature", async () => {
    const { id, secret } = await subscribe();
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    await happen(id, 1, 1);
    world.clock.advance(5_000);
    await work();
    const [message] = receiver.received;
    expect(message?.headers).toMatchObject({
      "content-type": "application/json",
      "webhook-timestamp": String(Date.parse(NOW) / 1000 + 5),
      host: new URL(receiver.url).host,
    });
    expect(JSON.parse(message?.body ?? "")).toEqual({ type: "unlock.opened", timestamp: NOW, data: { number: 1 } });
    expect(message && verify(message, secret)).toBe(true);
    expect(message && verify({ ...message, body: `${message.body} ` }, secret)).toBe(false);
    expect(message && verify(message, `whsec_${Buffer.alloc(32).toString("base64")}`)).toBe(false);
    const { rows } = await deliveries(owner, { webhookId: id, page: 1, pageSize: 20 });
    expect(rows).toMatchObject([{ id: message?.headers["webhook-id"], state: "delivered", tries: 1, lastStatus: 204 }]);
    expect(rows[0]?.body).toBe(message?.body);
  });

  it("is also signed with the old secret for a day after a change", async () => {
    const { id, secret } = await subscribe();
    const changed = await webhooks.rotateSecret(owner, { id });
    expect(changed.previousUntil).toBe(new Date(Date.parse(NOW) + DAY).toISOString());
    await happen(id, 1, 1);
    await work();
    world.clock.advance(DAY);
    await happen(id, 2, 2);
    await work();
    const checked = receiver.received.map((message) => [verify(message, secret), verify(message, changed.secret)]);
    expect(checked).toEqual([
      [true, true],
      [false, true],
    ]);
  });

  it("is sent once and in order, however many workers there are", async () => {
    const { id } = await subscribe();
    await happen(id, 1, 40);
    await work(...Array.from({ length: 6 }, createSender));
    expect(numbers()).toEqual(range(1, 40));
  });

  it("is taken over from a dead worker when its claim expires", async () => {
    const { id } = await subscribe();
    await happen(id, 1, 1);
    const claimedUntil = new Date(Date.parse(NOW) + MINUTE);
    await world.database.prisma.webhook.update({ where: { id }, data: { claimedUntil } });
    await work();
    expect(numbers()).toEqual([]);
    world.clock.advance(MINUTE);
    await work();
    expect(numbers()).toEqual([1]);
  });
});

describe("a receiver that does not answer", () => {
  it("for an hour loses nothing: 500 events follow later, each once, in order, one at a time", async () => {
    const { id, secret } = await subscribe();
    receiver.answer = null;
    for (let ten = 0; ten < 50; ten += 1) {
      await happen(id, 1 + 10 * ten, 10 + 10 * ten);
      await pass(70_000, 70_000);
    }
    expect(receiver.received).toEqual([]);
    expect(await row()).toMatchObject({ state: "failing", queued: 500, failed: 0 });
    receiver.answer = 200;
    await pass(3 * HOUR, MINUTE);
    expect(numbers()).toEqual(range(1, 500));
    expect(receiver.mostAtOnce).toBe(1);
    expect(new Set(receiver.received.map(({ headers }) => headers["webhook-id"])).size).toBe(500);
    expect(receiver.received.every((message) => verify(message, secret))).toBe(true);
    expect(await row()).toMatchObject({ state: "on", queued: 0, failures: 0, failingSince: null });
  }, 120_000);

  it("is tried with growing pauses, by its oldest event only", async () => {
    const { id } = await subscribe();
    const added = vi.spyOn(idleQueue, "add");
    receiver.answer = 503;
    await happen(id, 1, 3);
    await work();
    const pauses: number[] = [];
    for (let tries = 0; tries < 6; tries += 1) {
      const { nextTryAt } = await row();
      pauses.push(Date.parse(nextTryAt ?? "") - world.clock.now().getTime());
      world.clock.set(nextTryAt ?? "");
      await work();
    }
    const retryDelays = [10_000, MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 6 * HOUR];
    for (const [index, pause] of pauses.entries()) {
      expect(Math.abs(pause / (retryDelays[index] ?? 0) - 1), `pause ${index + 1}`).toBeLessThanOrEqual(0.101);
    }
    // The retries are queued with their pauses and don't wait for the next sweep.
    const delays = added.mock.calls.map(([, , options]) => options?.delayMs ?? 0).filter((delayMs) => delayMs > 0);
    expect(delays.slice(0, pauses.length)).toEqual(pauses);
    expect(numbers()).toEqual([1, 1, 1, 1, 1, 1, 1]);
    expect(new Set(receiver.received.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
    expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
  });

  it("raises an alert after the third failure, until it accepts events again", async () => {
    const { id } = await subscribe({ name: "Channel manager" });
    receiver.answer = 500;
    await happen(id, 1, 1);
    await work();
    await pass(MINUTE);
    expect(await openAlerts()).toEqual([]);
    await pass(MINUTE);
    expect(await openAlerts()).toEqual([["webhook_failing", { name: "Channel manager" }]]);
    receiver.answer = 200;
    await pass(HOUR);
    expect(await openAlerts()).toEqual([]);
  });

  it("for three days is switched off; waiting events are kept, and sent when it is switched on", async () => {
    const { id } = await subscribe();
    receiver.answer = null;
    await happen(id, 1, 5);
    await pass(3 * DAY - 12 * HOUR, HOUR);
    expect((await row()).state).toBe("failing");
    await pass(DAY, HOUR);
    expect(await row()).toMatchObject({ state: "given_up", queued: 5 });
    const entry = await world.database.prisma.auditEntry.findFirst({
      where: { hotelId: hotel.id, action: "webhook.give_up" },
    });
    expect(entry).toMatchObject({ actorKind: "system", entityId: String(id) });
    expect(await openAlerts()).toEqual([["webhook_failing", { name: "PMS" }]]);
    receiver.answer = 200;
    await pass(DAY, HOUR);
    expect(numbers()).toEqual([]);
    await webhooks.switchTo(owner, { id, on: true });
    await work();
    expect(numbers()).toEqual(range(1, 5));
    expect(await openAlerts()).toEqual([]);
  });

  it("because it is gone for good is switched off at once", async () => {
    const { id } = await subscribe();
    receiver.answer = 410;
    await happen(id, 1, 1);
    await work();
    expect((await row()).state).toBe("given_up");
  });

  it("occupies at most half of the workers with others of its hotel, and leaves the rest to other hotels", async () => {
    const openRequests: Received[] = [];
    receiver.hold = (request) => openRequests.push(request);
    const slow = await Promise.all(range(1, 8).map((number) => subscribe({ name: `Slow ${number}` })));
    for (const { id } of slow) await happen(id, 1, 1);
    const ended = vi.fn();
    const turns = slow.map(({ id }) => sender.deliver(id).then(ended));
    await vi.waitFor(() => expect(ended).toHaveBeenCalledTimes(4));
    expect(openRequests).toHaveLength(4);
    expect(await sender.due(), "they are sent later").toHaveLength(4);
    receiver.hold = undefined;
    await receiver.close();
    await Promise.all(turns);
  });

  it("fast enough ends its turn before all its events are sent", async () => {
    const { id } = await subscribe();
    await happen(id, 1, 3);
    const startedAt = performance.now();
    const now = vi.spyOn(performance, "now").mockImplementation(() => startedAt + receiver.received.length * 10_000);
    await sender.deliver(id);
    now.mockRestore();
    expect(numbers()).toEqual([1, 2]);
    await sender.deliver(id);
    expect(numbers()).toEqual([1, 2, 3]);
  });

  it("does not delay another one", async () => {
    const { id } = await subscribe();
    const other = await startReceiver();
    const second = await subscribe({ name: "Second", url: other.url });
    receiver.answer = null;
    await happen(id, 1, 3);
    await happen(second.id, 1, 3);
    await work();
    expect(other.received.map(numberOf)).toEqual([1, 2, 3]);
    await other.close();
  });
});

describe("a receiver that refuses", () => {
  it("one event again and again gets the other events, and this one when it is sent again", async () => {
    const { id } = await subscribe();
    receiver.answer = (message) => (numberOf(message) === 2 ? 422 : 200);
    await happen(id, 1, 3);
    await work();
    await pass(4 * HOUR, MINUTE);
    expect(numbers().filter((number) => number !== 2)).toEqual([1]);
    await pass(8 * HOUR, HOUR);
    expect(numbers()).toEqual([1, 2, 2, 2, 2, 2, 2, 3]);
    expect(await row()).toMatchObject({ state: "on", queued: 0, failed: 1 });
    receiver.answer = 200;
    expect(await webhooks.resend(owner, { webhookId: id, deliveryId: null })).toEqual({ count: 1 });
    await work();
    expect(numbers().at(-1)).toBe(2);
    expect(await row()).toMatchObject({ queued: 0, failed: 0 });
  });

  it("by redirecting is not followed", async () => {
    const { id } = await subscribe();
    const elsewhere = await startReceiver();
    receiver.answer = 307;
    receiver.headers = { location: elsewhere.url };
    await happen(id, 1, 1);
    await work();
    expect(elsewhere.received).toEqual([]);
    const { rows } = await deliveries(owner, { webhookId: id, page: 1, pageSize: 20 });
    expect(rows).toMatchObject([{ state: "queued", tries: 1, lastStatus: 307, lastError: "answer" }]);
    await elsewhere.close();
  });
});

describe("a forbidden address", () => {
  it("is refused when it is entered, and at every connection", async () => {
    const { id } = await subscribe();
    sender.allowLocal = false;
    await happen(id, 1, 1);
    await work();
    expect(receiver.received).toEqual([]);
    const { rows } = await deliveries(owner, { webhookId: id, page: 1, pageSize: 20 });
    expect(rows).toMatchObject([{ lastStatus: null, lastError: "not_allowed" }]);
    for (const [url, key] of [
      ["https://127.0.0.1/x", "validation.webAddressInside"],
      ["https://169.254.169.254/latest", "validation.webAddressInside"],
      ["https://[::1]/x", "validation.webAddressInside"],
      ["http://8.8.8.8/x", "validation.webAddressPlain"],
    ] as const) {
      const refused = webhooks.save(owner, { name: "x", url, events: ["stay.reserved"] }, sender);
      await expect(refused, url).rejects.toMatchObject({ code: "invalid_input", fields: { url: { key } } });
    }
  });
});

describe("a host name without an address yet", () => {
  it("is accepted, and is checked at each connection", async () => {
    sender.allowLocal = false;
    const { id } = await subscribe({ url: "https://receiver.invalid/hook" });
    const lastError = async () =>
      (await deliveries(owner, { webhookId: id, page: 1, pageSize: 20 })).rows[0]?.lastError;
    await happen(id, 1, 1);
    await work();
    expect(await lastError()).toBe("no_address");
    // Simulates a host name that began to resolve to this machine after it was entered.
    const inside = receiver.url.replace("127.0.0.1", "localhost");
    await world.database.prisma.webhook.update({ where: { id }, data: { url: inside } });
    await pass(20_000);
    expect(await lastError()).toBe("not_allowed");
    expect(receiver.received).toEqual([]);
    sender.allowLocal = true;
    await pass(120_000);
    expect(numbers()).toEqual([1]);
  });
});

describe("deliveries", () => {
  it("are deleted after a month", async () => {
    const { id } = await subscribe();
    await happen(id, 1, 2);
    await work();
    world.clock.advance(30 * DAY);
    await happen(id, 3, 3);
    await sender.deleteOldDeliveries();
    expect((await deliveries(owner, { webhookId: id, page: 1, pageSize: 20 })).total).toBe(3);
    world.clock.advance(1);
    await sender.deleteOldDeliveries();
    expect((await deliveries(owner, { webhookId: id, page: 1, pageSize: 20 })).total).toBe(1);
  });

  it("wait while the receiver is switched off, and no new ones are written for it", async () => {
    const { id } = await subscribe();
    await happen(id, 1, 1);
    await webhooks.switchTo(owner, { id, on: false });
    await work();
    expect(numbers()).toEqual([]);
    await expect(webhooks.sendTest(owner, { id })).rejects.toMatchObject({ code: "state_conflict" });
    await expect(webhooks.switchTo(owner, { id, on: false })).rejects.toMatchObject({ code: "state_conflict" });
    await webhooks.switchTo(owner, { id, on: true });
    const { deliveryId } = await webhooks.sendTest(owner, { id });
    await work();
    expect(receiver.received.map(({ body }) => JSON.parse(body).type)).toEqual(["unlock.opened", "webhook.test"]);
    expect(receiver.received[1]?.headers["webhook-id"]).toBe(deliveryId);
  });

  it("are not found from another hotel, nor without the feature", async () => {
    const { id } = await subscribe();
    await happen(id, 1, 1);
    const [{ id: deliveryId } = expect.fail()] = (await deliveries(owner, { webhookId: id, page: 1, pageSize: 20 }))
      .rows;
    const other = await (await world.createHotel()).scope("owner", { apiKeyAuth: true });
    const plain = await hotel.scope("owner");
    const page = { webhookId: id, page: 1, pageSize: 20 };
    for (const [scope, code] of [
      [other, "not_found"],
      [plain, "feature_off"],
    ] as const) {
      for (const act of [
        () => deliveries(scope, page),
        () => webhooks.resend(scope, { webhookId: id, deliveryId }),
        () => webhooks.resend(scope, { webhookId: id, deliveryId: null }),
        () => webhooks.rotateSecret(scope, { id }),
        () => webhooks.sendTest(scope, { id }),
        () => webhooks.switchTo(scope, { id, on: false }),
        () => webhooks.remove(scope, { id }),
        () => webhooks.save(scope, { id, name: "x", url: receiver.url, events: ["stay.reserved"] }, sender),
      ]) {
        await expect(act()).rejects.toMatchObject({ code });
      }
    }
    expect(await list(other)).toEqual([]);
    expect(await row()).toMatchObject({ name: "PMS", state: "on", queued: 1 });
  });
});

it.each([
  [
    "change",
    (id: number) => webhooks.save(owner, { id, name: "x", url: receiver.url, events: ["alert.raised"] }, sender),
  ],
  ["new secret", (id: number) => webhooks.rotateSecret(owner, { id })],
  ["repetition", (id: number) => webhooks.resend(owner, { webhookId: id, deliveryId: null })],
])("a %s is refused while another transaction deletes the webhook", async (_name, act) => {
  const { id } = await subscribe();
  const deletion = await world.database.pool.connect();
  try {
    await deletion.query("BEGIN");
    await deletion.query("DELETE FROM webhook WHERE id = $1", [id]);
    const outcome = act(id).catch((error: unknown) => error);
    await untilBlocked(world);
    await deletion.query("COMMIT");
    expect(await outcome).toMatchObject({ code: "not_found" });
  } finally {
    deletion.release();
  }
  const entries = await world.database.prisma.auditEntry.findMany({ where: { hotelId: hotel.id } });
  expect(entries.map(({ action }) => action)).toEqual(["webhook.create"]);
});

it("no secret and no receiver's address is in the audit log or readable in the tables", async () => {
  const { id, secret } = await subscribe({ url: `${receiver.url}&token=hush` });
  await webhooks.save(
    owner,
    { id, name: "PMS 2", url: `${receiver.url}&token=hush2`, events: ["alert.raised"] },
    sender,
  );
  const changed = await webhooks.rotateSecret(owner, { id });
  const entries = await world.database.prisma.auditEntry.findMany({ where: { hotelId: hotel.id } });
  expect(entries.map(({ action }) => action)).toEqual(["webhook.create", "webhook.save", "webhook.secret"]);
  const stored = await world.database.prisma.webhook.findUniqueOrThrow({ where: { id } });
  const texts = [
    JSON.stringify(entries, (_key, value) => (typeof value === "bigint" ? String(value) : value)),
    Buffer.from(stored.secretBox).toString("latin1"),
    Buffer.from(stored.previousSecretBox ?? []).toString("latin1"),
    JSON.stringify(await list(owner)).replaceAll(/"url":"[^"]*"/g, ""),
  ];
  for (const text of texts) for (const hidden of [secret, changed.secret, "hush"]) expect(text).not.toContain(hidden);
});
