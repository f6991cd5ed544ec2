import { createHash, randomBytes } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { LockArgs, LockCommandName } from "@innkey/shared/locks/protocol";
import { pino } from "pino";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import type { Browser } from "../../../test/harness/browser.ts";
import type { TestHotel } from "../../../test/harness/people.ts";
import { createTestServer, type TestServer } from "../../../test/harness/server.ts";
import { createHttpServer } from "../../api/http/server.ts";
import { codeContext } from "../../domain/access/credentials/credential-content.ts";
import { codeHash, grantCredential } from "../../domain/access/credentials/credentials.ts";
import type { LockDriver } from "../../domain/access/lock-links/driver.ts";
import { secretBox } from "../../kernel/secret-box.ts";
import { nextId } from "../../kernel/transaction.ts";
import { TtlockCloud } from "./ttlock-cloud.ts";
import { ttlockDriver } from "./ttlock-driver.ts";

/**
 * A simulated TTLock cloud after its documentation (euopen.ttlock.com): form input, JSON output, no errcode in lists.
 */
interface Code {
  keyboardPwdId: number;
  keyboardPwd: string;
  keyboardPwdName: string;
  startDate: number;
  endDate: number;
}
interface Card {
  cardId: number;
  cardNumber: string;
  cardName: string;
  startDate: number;
  endDate: number;
}
type Answer = { errcode: number; errmsg?: string } | { list: (Code | Card)[]; pages: number } | Token;
interface Token {
  access_token: string;
  uid: number;
  expires_in: number;
  refresh_token: string;
}

class FakeCloud {
  readonly calls: { path: string; form: Record<string, string> }[] = [];
  codes: Code[] = [];
  cards: Card[] = [];
  /** Error codes to return once each, instead of the regular answer. */
  refusals: number[] = [];
  token = 0;
  /** Whether to open the door but drop the connection before answering. */
  mute = false;
  #server: Server;

  constructor() {
    this.#server = createServer((request, response) => {
      let body = "";
      request.on("data", (chunk: Buffer) => {
        body += chunk.toString();
      });
      request.on("end", () => {
        const form = Object.fromEntries(new URLSearchParams(body));
        const path = request.url ?? "";
        this.calls.push({ path, form });
        if (this.mute && path === "/v3/lock/unlock") {
          request.socket.destroy();
          return;
        }
        response.setHeader("content-type", "application/json").end(JSON.stringify(this.#answer(path, form)));
      });
    });
  }

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    const address = this.#server.address();
    return `http://127.0.0.1:${address !== null && typeof address === "object" ? address.port : 0}`;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  to(path: string): Record<string, string>[] {
    return this.calls.filter((call) => call.path === path).map(({ form }) => form);
  }

  #answer(path: string, form: Record<string, string>): Answer {
    if (path === "/oauth2/token") {
      const right = form.password === createHash("md5").update("secret pass").digest("hex");
      if (!right || form.clientSecret !== "client secret") return { errcode: 10007 };
      this.token += 1;
      return { access_token: `token ${this.token}`, uid: 1, expires_in: 7_776_000, refresh_token: "refresh" };
    }
    if (form.accessToken !== `token ${this.token}`) return { errcode: 10003 };
    const refusal = this.refusals.shift();
    if (refusal !== undefined) return { errcode: refusal };
    const period = { startDate: Number(form.startDate), endDate: Number(form.endDate) };
    switch (path) {
      case "/v3/lock/listKeyboardPwd":
        return { list: this.codes, pages: 1 };
      case "/v3/identityCard/list":
        return { list: this.cards, pages: 1 };
      case "/v3/keyboardPwd/add": {
        const { keyboardPwd = "", keyboardPwdName = "" } = form;
        if (this.codes.some((code) => code.keyboardPwd === keyboardPwd)) return { errcode: -3007 };
        this.codes.push({ keyboardPwdId: 500 + this.codes.length, keyboardPwd, keyboardPwdName, ...period });
        return { errcode: 0 };
      }
      case "/v3/keyboardPwd/change":
        this.codes = this.codes.map((code) =>
          code.keyboardPwdId === Number(form.keyboardPwdId) ? { ...code, ...period } : code,
        );
        return { errcode: 0 };
      case "/v3/keyboardPwd/delete":
        this.codes = this.codes.filter((code) => code.keyboardPwdId !== Number(form.keyboardPwdId));
        return { errcode: 0 };
      case "/v3/identityCard/addForReversedCardNumber":
        this.cards.push({ cardId: 900, cardNumber: "1723612378", cardName: form.cardName ?? "", ...period });
        return { errcode: 0 };
      case "/v3/identityCard/delete":
        this.cards = this.cards.filter((card) => card.cardId !== Number(form.cardId));
        return { errcode: 0 };
      default:
        return { errcode: 0 };
    }
  }
}

const FROM = "2026-03-02T10:00:00.000Z";
const TO = "2026-03-05T10:00:00.000Z";
let cloud: FakeCloud;
let baseUrl: string;
let server: TestServer;
let hotel: TestHotel;
let desk: Browser;
let driver: LockDriver;
let door: { lockId: number; roomId: number };

beforeAll(async () => {
  server = await createTestServer();
  server.services.links.allowLoopback = true;
  hotel = await server.createHotel();
  desk = await server.loginAs(await server.createOperator(hotel, { role: "owner" }));
  const { id: groupId } = await desk.api.groups.save.mutate({ name: "All", sort: 1 });
  const { roomId } = await desk.api.rooms.save.mutate({ name: "101", groupId });
  const lock = { mac: "A4:C1:38:00:02:01", roomId, driver: "ttlock" as const, address: "4711" };
  door = { roomId, ...(await desk.api.locks.save.mutate(lock)) };
});
afterAll(() => server.close());

beforeEach(async () => {
  cloud?.close();
  cloud = new FakeCloud();
  baseUrl = await cloud.listen();
  const { links } = server.services;
  await desk.api.locks.saveLink.mutate({
    kind: "ttlock",
    baseUrl,
    clientId: "client",
    clientSecret: "client secret",
    account: "house@example.test",
    password: "secret pass",
  });
  await links.load();
  driver = ttlockDriver(new TtlockCloud(links, () => server.clock.now()), links);
});
afterAll(() => cloud.close());

const send = <T extends LockCommandName>(type: T, args: LockArgs[T], address = "4711", signal?: AbortSignal) =>
  driver.send(
    { id: door.lockId, hotelId: hotel.id, mac: "A4:C1:38:00:02:01", address },
    { id: "0b9d4a4e-58b5-4dd5-9a4c-2f0c4f0f5a11", type, args, expires: null, now: FROM },
    signal ?? AbortSignal.timeout(5_000),
  );
const code = (fields: Partial<LockArgs["set_credential"]> = {}): LockArgs["set_credential"] => ({
  slot: 12,
  kind: "passcode",
  code: "246813",
  validFrom: FROM,
  validTo: TO,
  ...fields,
});
const ok = { outcome: "answered", ack: { ok: true } };
const answered = (error: string) => ({ outcome: "answered", ack: { ok: false, error } });
const undelivered = (error: string) => ({ outcome: "undelivered", error, again: true });

it("logs in once and adds a code through the gateway", async () => {
  expect(await send("set_credential", code())).toEqual(ok);
  expect(await send("unlock", {})).toEqual(ok);
  expect(cloud.to("/oauth2/token")).toHaveLength(1);
  expect(cloud.to("/v3/keyboardPwd/add")).toEqual([
    {
      clientId: "client",
      accessToken: "token 1",
      lockId: "4711",
      keyboardPwd: "246813",
      keyboardPwdName: "innkey-12",
      keyboardPwdType: "3",
      startDate: String(Date.parse(FROM)),
      endDate: String(Date.parse(TO)),
      addType: "2",
      date: String(server.clock.now().getTime()),
    },
  ]);
  expect(cloud.to("/v3/lock/unlock")).toMatchObject([{ lockId: "4711" }]);
});

it("checks whose a duplicate is before it reports an error", async () => {
  expect(await send("set_credential", code())).toEqual(ok);
  expect(await send("set_credential", code())).toEqual(ok);
  expect(cloud.to("/v3/keyboardPwd/change")).toEqual([]);
  expect(await send("set_credential", code({ validTo: null }))).toEqual(ok);
  expect(cloud.to("/v3/keyboardPwd/change")).toMatchObject([{ keyboardPwdId: "500", endDate: "0", changeType: "2" }]);
  expect(await send("set_credential", code({ slot: 13 }))).toEqual(answered("duplicate"));
});

it("logs in again when the token has expired", async () => {
  expect(await send("unlock", {})).toEqual(ok);
  cloud.token += 1;
  expect(await send("unlock", {})).toEqual(ok);
  expect(cloud.to("/oauth2/token")).toHaveLength(2);
});

it.each([
  [-3002, undelivered("gateway")],
  [-2012, undelivered("gateway")],
  [-3003, undelivered("busy")],
  [-3036, undelivered("offline")],
  [-3009, answered("full")],
  [-2032, answered("too_simple")],
  [-3006, answered("invalid")],
  [-2025, answered("frozen")],
  [-2018, answered("refused")],
  [-99999, undelivered("internal")],
])("translates %i into our errors", async (errcode, outcome) => {
  await send("unlock", {});
  cloud.refusals = [errcode];
  expect(await send("set_credential", code())).toEqual(outcome);
});

it("removes codes and cards, and treats missing ones as removed", async () => {
  await send("set_credential", code());
  expect(await send("set_credential", code({ slot: 14, kind: "card", code: undefined, uid: "DA3CBC66" }))).toEqual(ok);
  expect(cloud.to("/v3/identityCard/addForReversedCardNumber")).toMatchObject([{ cardNumber: "3661413478" }]);
  expect(await send("remove_credential", { slot: 12 })).toEqual(ok);
  expect(await send("remove_credential", { slot: 14 })).toEqual(ok);
  expect([...cloud.codes, ...cloud.cards]).toEqual([]);
  expect(await send("remove_credential", { slot: 12 })).toEqual(answered("not_found"));
});

it("reads back what the lock holds, and removes foreign codes by hand", async () => {
  await send("set_credential", code());
  cloud.codes.push({ keyboardPwdId: 77, keyboardPwd: "999999", keyboardPwdName: "Cleaner", startDate: 0, endDate: 0 });
  const answer = await send("read_back", {});
  const credentials = answer.outcome === "answered" ? answer.ack.held : [];
  expect(credentials).toMatchObject([
    { slot: 12, kind: "passcode", validTo: TO },
    { kind: "passcode", name: "Cleaner", validFrom: null, validTo: null },
  ]);
  expect(await send("remove_credential", { slot: credentials?.[1]?.slot ?? 0 })).toEqual(ok);
  expect(cloud.codes.map(({ keyboardPwdName }) => keyboardPwdName)).toEqual(["innkey-12"]);
});

it("reports what such locks do not support, and needs no configuration", async () => {
  expect(await send("raise_floor", { kind: "guest", floor: 3 })).toEqual(answered("unsupported"));
  expect(await send("notice", { text: "x" })).toEqual(answered("unsupported"));
  expect(await send("set_credential", code({ kind: "face", faceId: 1 }))).toEqual(answered("unsupported"));
  expect(await send("set_clock", { now: FROM })).toEqual(ok);
  expect(await send("unlock", {}, "../x")).toEqual(answered("not_set_up"));
});

it("shows a wrong account or an unreachable cloud on the link", async () => {
  const error = async () => (await desk.api.locks.links.query()).find(({ kind }) => kind === "ttlock")?.lastError;
  const wrong = { kind: "ttlock" as const, baseUrl, clientId: "client", account: "house@example.test" };
  await desk.api.locks.saveLink.mutate({ ...wrong, password: "another pass" });
  await server.services.links.load();
  expect(await send("unlock", {})).toEqual(undelivered("account"));
  expect(await error()).toBe("account");
  cloud.close();
  await desk.api.locks.saveLink.mutate({ ...wrong, password: "secret pass" });
  await server.services.links.load();
  expect(await send("remove_credential", { slot: 12 })).toEqual(undelivered("gateway"));
  expect(await error()).toBe("gateway");
});

it("requests to open a door once, because a lost answer may have been a success", async () => {
  cloud.mute = true;
  expect(await send("unlock", {})).toEqual({ outcome: "undelivered", error: "gateway", again: false });
  cloud.mute = false;
  cloud.refusals = [-2012];
  expect(await send("unlock", {})).toEqual({ outcome: "undelivered", error: "gateway", again: true });
});

it("never connects to this machine unless a test allows it", async () => {
  const { links } = server.services;
  links.allowLoopback = false;
  expect(await send("remove_credential", { slot: 12 })).toEqual(undelivered("gateway"));
  expect(cloud.calls).toEqual([]);
  links.allowLoopback = true;
});

it("stores what the cloud reports, each record once", async () => {
  const scope = await server.scopeOf(await server.createOperator(hotel, { role: "owner" }));
  const credentialId = await scope.write(async (tx) => {
    const id = await nextId(tx, "passcode");
    const passcode = await tx.db.passcode.create({
      data: {
        id,
        hotelId: hotel.id,
        type: "custom",
        codeBox: scope.secrets.code.seal("775533", codeContext(scope, id)),
        person: "Ann",
        roomId: door.roomId,
        validFrom: new Date(FROM),
      },
    });
    const subject = { passcodeId: passcode.id, codeHash: codeHash(scope, "775533"), content: { code: "775533" } };
    const window = { validFrom: new Date(FROM), validTo: null };
    return grantCredential(
      scope,
      tx,
      { id: door.lockId, roomId: door.roomId },
      { kind: "passcode", ...subject },
      window,
    );
  });
  const links = await desk.api.locks.links.query();
  const path = links.find(({ kind }) => kind === "ttlock")?.callbackPath ?? "";
  const start = server.clock.now().getTime() - 60_000;
  const record = (recordType: number, seconds: number, keyboardPwd = "", success = 1) => ({
    lockId: 4711,
    recordType,
    success,
    username: "",
    keyboardPwd,
    lockDate: start + seconds * 1000,
    electricQuantity: 64,
    serverDate: start + seconds * 1000,
  });
  const post = (records: object[], to = path) =>
    server.app.inject({
      method: "POST",
      url: to,
      headers: { "content-type": "application/x-www-form-urlencoded" },
      payload: new URLSearchParams({
        notifyType: "1",
        lockId: "4711",
        lockMac: "A4:C1:38:00:02:01",
        records: JSON.stringify(records),
      }).toString(),
    });
  const cloudRecords = [record(4, 0, "775533"), record(7, 1, "111111", 0), record(17, 2, "1723612378"), record(45, 3)];
  const first = await post(cloudRecords);
  expect([first.statusCode, first.body]).toEqual([200, "success"]);
  expect((await post([...cloudRecords, record(48, 4, "", 0)])).body).toBe("success");
  const stored = await server.database.prisma.unlockRecord.findMany({
    where: { lockId: door.lockId },
    orderBy: { lockSeq: "asc" },
  });
  expect(stored).toMatchObject([
    { lockSeq: 1n, style: "passcode", success: true, credentialId },
    { lockSeq: 2n, style: "passcode", success: false, reason: "unknown" },
    { lockSeq: 3n, style: "card", success: true },
    { lockSeq: 4n, style: "passcode", success: false, reason: "locked_out" },
  ]);
  expect((await desk.api.locks.detail.query({ lockId: door.lockId })).unmanaged).toMatchObject([{ kind: "card" }]);
  await post([{ ...record(4, 5, "998877"), username: "Night porter" }, record(4, 6, "123456")]);
  const { unmanaged } = await desk.api.locks.detail.query({ lockId: door.lockId });
  expect(unmanaged.map(({ kind, name }) => [kind, name]).slice(1)).toEqual([
    ["passcode", "Night porter"],
    ["passcode", "••56"],
  ]);
  const alert = { lockId: door.lockId, kind: "unmanaged_code" as const, resolvedAt: null };
  expect(await server.database.prisma.alert.findFirst({ where: alert })).toMatchObject({
    params: { count: 3, type: "passcode", key: "••56" },
  });
  expect((await post(cloudRecords, `${path}x`)).statusCode).toBe(404);
  expect((await post(cloudRecords, "/devices/ttlock/")).statusCode).toBe(404);
  const nonsense = await server.app.inject({
    method: "POST",
    url: path,
    headers: { "content-type": "application/x-www-form-urlencoded" },
    payload: "records=%7B",
  });
  expect(nonsense.statusCode).toBe(400);
  const large = await post(Array.from({ length: 2_000 }, (_, index) => record(4, index, "775533")));
  expect(large.statusCode).toBe(413);
});

it("blocks a network for a minute after it guessed twenty paths, but not the cloud", async () => {
  const links = await desk.api.locks.links.query();
  const path = links.find(({ kind }) => kind === "ttlock")?.callbackPath ?? "";
  const report = (to: string, address: string) =>
    server.app.inject({
      method: "POST",
      url: to,
      headers: { "content-type": "application/x-www-form-urlencoded", "x-forwarded-for": address },
      payload: "records=%5B%5D",
    });
  for (let guesses = 0; guesses < 20; guesses += 1) {
    expect((await report(`${path}${guesses}`, `2001:db8:7:7::${guesses}`)).statusCode).toBe(404);
  }
  expect((await report(`${path}x`, "2001:db8:7:7::ffff")).statusCode).toBe(429);
  expect((await report(`${path}x`, "2001:db8:7:8::1")).statusCode).toBe(404);
  expect((await report(path, "2001:db8:7:7::1")).statusCode).not.toBe(429);
});

it("puts secrets into forms only, and its own path into no log", async () => {
  await send("set_credential", code());
  const urls = cloud.calls.map(({ path }) => path.replace("/oauth2/token", "")).join(" ");
  for (const secret of ["246813", "client secret", "token"]) expect(urls).not.toContain(secret);

  const lines: string[] = [];
  const app = await createHttpServer({
    services: server.services,
    log: pino({ level: "trace" }, { write: (line: string) => void lines.push(line) }),
    ready: async () => undefined,
    metrics: { token: undefined, trustProxy: false, read: () => server.services.system.metrics() },
    cookieBox: secretBox(randomBytes(32), "cookie"),
    trustProxy: false,
    publicUrl: undefined,
    allowedHosts: [],
    sessionMaxSeconds: 1,
    legacyCiphers: null,
    webDirectory: import.meta.dirname,
  });
  const path = (await desk.api.locks.links.query()).find(({ kind }) => kind === "ttlock")?.callbackPath ?? "";
  expect((await app.inject({ method: "POST", url: path, payload: {} })).statusCode).toBe(400);
  await app.inject({ method: "GET", url: "/healthz" });
  await app.close();
  expect(lines.join("")).toContain("/healthz");
  expect(lines.join("")).not.toContain(path.split("/").at(-1));
});
