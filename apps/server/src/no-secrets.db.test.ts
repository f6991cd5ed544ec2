import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Browser } from "../test/harness/browser.ts";
import { idleQueue } from "../test/harness/idle-queue.ts";
import { type SeededHotel, seedTestHotel } from "../test/harness/seeded-hotel.ts";
import { createTestServer, type TestServer } from "../test/harness/server.ts";
import type { JobQueue } from "./adapters/queue/queue.ts";
import { createLogger } from "./adapters/telemetry/logger.ts";
import { appRouter } from "./api/trpc/router.ts";
import { keysContext } from "./domain/access/cards/card-keys.ts";
import { openLockSecret } from "./domain/access/locks/lock-secrets.ts";
import { secretsOf } from "./kernel/scope.ts";

/**
 * Runs a day at the desk with all kinds of secrets, including mistakes and failures. Afterwards no secret may appear
 * where it doesn't belong: logs, answers to others, jobs, or any table in clear text.
 */
const lines: string[] = [];
const jobs: string[] = [];
/** Bodies of refusals and failures. */
const refusals: string[] = [];
/** Secrets by name; searched as text and as the hex digits in which PostgreSQL shows bytes */
const secrets = new Map<string, string>();

const recordingQueue: JobQueue = {
  ...idleQueue,
  async add(job, payload, options) {
    jobs.push(JSON.stringify([job.name, payload, options]));
  },
};

let server: TestServer;
let hotel: SeededHotel;
let desk: Browser;

async function call(path: string, input: unknown, browser = desk): Promise<number> {
  return post(path, JSON.stringify(input), browser);
}

async function post(path: string, payload: string, browser = desk): Promise<number> {
  const headers = { "content-type": "application/json" };
  const { statusCode, body } = await browser.http("POST", `/api/trpc/${path}`, { headers, payload });
  if (statusCode >= 400) refusals.push(body);
  return statusCode;
}

async function upload(bytes: Uint8Array): Promise<{ statusCode: number; body: string }> {
  const form = new FormData();
  form.set("file", new Blob([new Uint8Array(bytes)], { type: "image/jpeg" }), "face.jpg");
  const request = new Request("http://localhost", { method: "POST", body: form });
  const { statusCode, body } = await desk.http("POST", "/api/files?kind=face", {
    headers: { "content-type": request.headers.get("content-type") ?? "" },
    payload: Buffer.from(await request.arrayBuffer()),
  });
  if (statusCode >= 400) refusals.push(body);
  return { statusCode, body };
}

/** Makes the database refuse every new or changed row of the table while `work` runs, as a full disk or a bug would. */
async function withBrokenTable(table: string, work: () => Promise<void>): Promise<void> {
  await server.database.pool.query(`ALTER TABLE ${table} ADD CONSTRAINT forced CHECK (false) NOT VALID`);
  try {
    await work();
  } finally {
    await server.database.pool.query(`ALTER TABLE ${table} DROP CONSTRAINT forced`);
  }
}

async function passcodes(): Promise<void> {
  const { api } = desk;
  const { roomId, lockId } = hotel.ids;
  const rooms = { roomIds: [roomId], person: "Ann" };
  const air = await api.passcodes.create.mutate({ type: "air", ...rooms });
  secrets.set("over-the-air code", air.code);
  const custom = "402867";
  secrets.set("custom code", custom);
  expect(await call("passcodes.create", { type: "custom", code: custom, ...rooms })).toBe(200);
  expect(await call("passcodes.create", { type: "custom", code: custom, ...rooms })).toBe(409);
  expect(await call("passcodes.reveal", { passcodeId: air.passcodeId })).toBe(200);

  const access = await api.locks.connect.mutate({ lockId });
  secrets.set("broker password", access.password);
  secrets.set("pairing secret", access.pairingSecret);
  const lock = await server.database.prisma.lock.update({ where: { id: lockId }, data: { configuredAt: new Date() } });
  const ownerScope = await server.scopeOf(hotel.owner);
  const secret = openLockSecret(ownerScope, lockId, lock.secretBox ?? Buffer.alloc(0));
  expect(secret).toMatch(/^[0-9A-F]{40}$/);
  secrets.set("HOTP secret", secret);
  const oneTime = await api.passcodes.create.mutate({ type: "one_time", ...rooms });
  secrets.set("one-time code", oneTime.code);

  const tooLong = "7390516";
  secrets.set("a code of seven digits", tooLong);
  expect(await call("passcodes.create", { type: "custom", code: tooLong, ...rooms })).toBe(400);
  const weak = "636363";
  secrets.set("a weak code", weak);
  expect(await call("passcodes.create", { type: "custom", code: weak, ...rooms })).toBe(400);
  const cut = "581936";
  secrets.set("a code in half a request", cut);
  expect(await post("passcodes.create", `{"type":"custom","code":"${cut}","roomIds`)).toBe(400);
  const failed = "927461";
  secrets.set("a code that could not be kept", failed);
  for (const table of ["passcode", "credential", "lock_command"]) {
    await withBrokenTable(table, async () => {
      expect(await call("passcodes.create", { type: "custom", code: failed, ...rooms })).toBe(500);
    });
  }
  await withBrokenTable("lock", async () => {
    expect(await call("locks.connect", { lockId })).toBe(500);
  });
}

async function faces(): Promise<void> {
  const noise = { type: "gaussian" as const, mean: 128, sigma: 60 };
  const portrait = await sharp({ create: { width: 400, height: 400, channels: 3, background: "tan", noise } })
    .jpeg()
    .toBuffer();
  const stored: { id: string; url: string } = JSON.parse((await upload(portrait)).body);
  const { rawPayload } = await desk.http("GET", stored.url);
  for (const [name, bytes] of [
    ["the uploaded picture", portrait],
    ["the kept picture", rawPayload],
  ] as const) {
    const part = bytes.subarray(900, 930);
    secrets.set(`${name}, base64`, part.toString("base64"));
    secrets.set(`${name}, hex`, part.toString("hex"));
    secrets.set(`${name}, as numbers`, part.join(","));
  }
  const { faceId } = await desk.api.faces.enrol.mutate({ fileId: stored.id, note: "Ann", consent: true });
  await desk.api.faces.grant.mutate({ faceId, roomIds: [hotel.ids.roomId] });
  const image = await server.services.faces.imageForLock(hotel.hotel.id, faceId);
  secrets.set("the lock's picture", image?.slice(1000, 1040) ?? "");
  expect(await call("faces.enrol", { fileId: stored.id, note: "Ann", consent: true })).toBe(400);
  await withBrokenTable("stored_file", async () => {
    expect((await upload(portrait)).statusCode).toBe(500);
  });
}

async function cards(): Promise<void> {
  const { stayId } = hotel.ids;
  const card = await desk.api.cards.prepare.mutate({ stayId, uid: "0BADF00D" });
  secrets.set("sector key", card.sectorKey);
  secrets.set("card record", card.data);
  const profile = await server.database.prisma.cardProfile.findFirstOrThrow({ where: { hotelId: hotel.hotel.id } });
  const keys: unknown = JSON.parse(
    secretsOf(server.rootKey).card.open(profile.keysBox, keysContext(profile, profile.id)) ?? "{}",
  );
  for (const [name, value] of Object.entries(keys as object)) {
    if (typeof value === "string" && /^[0-9A-Fa-f]{12,}$/.test(value)) secrets.set(`card ${name}`, value);
  }
  const wrong = "5E".repeat(16);
  secrets.set("a wrong read-back", wrong);
  expect(await call("cards.confirm", { cardId: card.cardId, readBack: wrong })).toBe(409);
  secrets.set("a read-back that is too long", `${wrong}5E`);
  expect(await call("cards.confirm", { cardId: card.cardId, readBack: `${wrong}5E` })).toBe(400);
  await withBrokenTable("card", async () => {
    expect(await call("cards.confirm", { cardId: card.cardId, readBack: card.data })).toBe(500);
    expect(await call("cards.prepare", { stayId, uid: "0BADF00E" })).toBe(500);
  });
  expect(await call("cards.confirm", { cardId: card.cardId, readBack: card.data })).toBe(200);
}

async function guests(): Promise<void> {
  const { stayId, stayGuestId } = hotel.ids;
  const guest = { name: "Bob", mobile: "", email: "", documentType: "passport" };
  const knownCode = "C01X0006H7";
  secrets.set("ID number", knownCode);
  expect(await call("guests.add", { stayId, guest: { ...guest, documentNumber: knownCode } })).toBe(200);
  const search = JSON.stringify({ query: knownCode });
  expect((await desk.http("GET", `/api/trpc/guests.search?input=${encodeURIComponent(search)}`)).statusCode).toBe(200);
  const mistyped = "L01X00T478";
  secrets.set("ID number beside a mistake", mistyped);
  const wrong = { ...guest, documentNumber: mistyped, birthDate: "1890-01-01" };
  expect(await call("guests.update", { stayGuestId, guest: wrong })).toBe(400);
  secrets.set("an ID number that is too long", mistyped.repeat(5));
  expect(await call("guests.update", { stayGuestId, guest: { ...guest, documentNumber: mistyped.repeat(5) } })).toBe(
    400,
  );
  const lost = "N77Q0099K1";
  secrets.set("ID number that could not be kept", lost);
  await withBrokenTable("guest", async () => {
    expect(await call("guests.add", { stayId, guest: { ...guest, documentNumber: lost } })).toBe(500);
  });
}

async function logins(): Promise<void> {
  secrets.set("a wrong password", "Tr0ub4dor-and-3");
  expect(
    await call("auth.login", { account: hotel.owner.account, password: "Tr0ub4dor-and-3" }, server.visitor()),
  ).toBe(401);
}

beforeAll(async () => {
  const log = createLogger("trace", { write: (line) => lines.push(line) });
  server = await createTestServer({ log, queue: recordingQueue });
  hotel = await seedTestHotel(server, "Quince");
  desk = hotel.ownerDesk;
  await passcodes();
  await faces();
  await cards();
  await guests();
  await logins();
});
afterAll(() => server.close());

/**
 * Returns the secrets that a text contains, in clear or as hex. Codes must match whole words, because their digits
 * occur in longer numbers.
 */
function secretsIn(text: string): string[] {
  const lower = text.toLowerCase().replaceAll(/%[0-9a-f]{2}/g, " ");
  return [...secrets].flatMap(([name, secret]) => {
    const plain = /^\d+$/.test(secret)
      ? new RegExp(`(?<![0-9a-z])${secret}(?![0-9a-z])`).test(lower)
      : lower.includes(secret.toLowerCase());
    const hex = lower.includes(Buffer.from(secret).toString("hex"));
    return plain || hex ? [`${name} in ${text.slice(0, 300)}`] : [];
  });
}

describe("a secret", () => {
  it("is found by this test's own search", () => {
    expect(secrets.size).toBeGreaterThan(20);
    for (const [name, secret] of secrets) expect(secret.length, name).toBeGreaterThanOrEqual(6);
    expect(secretsIn(`{"code":"${secrets.get("custom code")}"}`)).toHaveLength(1);
    expect(secretsIn(`\\x${Buffer.from(secrets.get("ID number") ?? "").toString("hex")}`)).toHaveLength(1);
    expect(lines.some((line) => line.includes("procedure failed"))).toBe(true);
    expect(refusals.length).toBeGreaterThan(15);
  });

  it("is in no line of the log, at its most detailed level", () => {
    expect(lines.flatMap(secretsIn)).toEqual([]);
  });

  it("is in no refusal, and an internal error gives no details", () => {
    expect(refusals.flatMap(secretsIn)).toEqual([]);
    const failures = refusals.filter((body) => body.includes('"internal"'));
    expect(failures.length).toBeGreaterThan(5);
    for (const body of failures) expect(body).not.toMatch(/constraint|forced|prisma|\.ts/i);
  });

  it("is in no job", () => {
    expect(jobs.flatMap(secretsIn)).toEqual([]);
  });

  it("is in no table in clear, such as the audit log or the commands", async () => {
    const { rows: tables } = await server.database.pool.query<{ name: string }>(
      "SELECT quote_ident(table_name) AS name FROM information_schema.tables WHERE table_schema = 'public'",
    );
    const bad: string[] = [];
    for (const { name } of tables) {
      const { rows } = await server.database.pool.query<{ text: string }>(`SELECT t::text AS text FROM ${name} t`);
      bad.push(...rows.flatMap(({ text }) => secretsIn(text)).map((hit) => `${name}: ${hit}`));
    }
    expect(tables.map(({ name }) => name)).toEqual(expect.arrayContaining(["audit_entry", "lock_command"]));
    expect(bad).toEqual([]);
  });

  it("is never in a URL: what takes or returns one is a POST", () => {
    const procedures = appRouter._def.procedures as unknown as Record<string, { _def: { type: string } }>;
    for (const path of [
      "passcodes.create",
      "passcodes.reveal",
      "locks.connect",
      "locks.saveLink",
      "cards.prepare",
      "cards.confirm",
      "guests.add",
      "guests.update",
      "stays.checkIn",
      "stays.reserve",
      "auth.login",
    ]) {
      expect(procedures[path]?._def.type, path).toBe("mutation");
    }
  });
});
