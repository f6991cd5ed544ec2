import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { secretBox } from "../../src/kernel/secret-box.ts";
import { Desk } from "../clients/desk.ts";
import { type Receiver, startReceiver } from "../clients/receiver.ts";
import {
  addRoom,
  CLUSTER_KEY,
  type Cluster,
  checkIn,
  DoorLock,
  OWNER,
  openHotel,
  type ServerProcess,
  startCluster,
} from "../processes/cluster.ts";

/**
 * Two servers and two workers on one PostgreSQL, Redis and broker, each a process. Each acts on what the others store.
 */
const WAIT = { timeout: 60_000, interval: 25 };
let cluster: Cluster;
let a: ServerProcess;
let b: ServerProcess;
let owner: Desk;
let receiver: Receiver;
/** Id of the webhook delivery during which its worker was killed */
let withheldName: string;

const guestNames = (): string[] => receiver.received.map(({ body }) => JSON.parse(body).data.guestName);
const failure = (act: Promise<unknown>): Promise<string> =>
  act.then(
    () => "done",
    (error: Error) => error.message,
  );

beforeAll(async () => {
  cluster = await startCluster();
  [a, b] = await Promise.all([cluster.web(), cluster.web()]);
  owner = await openHotel(a);
  receiver = await startReceiver();
  const hook = { name: "Program", url: receiver.url, events: ["stay.checked_in"] };
  await owner.call(a, "integrations.saveWebhook", hook);

  // We kill the only worker in the middle of a job; the last test checks what happened to it.
  const doomed = await cluster.worker();
  let markStarted: (value: unknown) => void = () => undefined;
  const inWork = new Promise((resolve) => {
    markStarted = resolve;
  });
  receiver.hold = (request) => {
    withheldName = String(request.headers["webhook-id"]);
    markStarted(undefined);
  };
  await checkIn(owner, b, await addRoom(owner, a, "Held"), "Held Back");
  await inWork;
  await doomed.kill();
  receiver.hold = undefined;
  // A claim lasts a minute. That it has passed is a fact of the database; the test need not wait for it.
  await cluster.database.query("UPDATE webhook SET claimed_until = claimed_until - interval '1 minute'");
  await Promise.all([cluster.worker(), cluster.worker()]);
}, 300_000);

afterAll(async () => {
  await cluster?.close();
  await receiver?.close();
});

describe("a session", () => {
  it("opened on one server works on the other, and ends on both when it is revoked", async () => {
    const desk = new Desk();
    await desk.call(a, "auth.login", OWNER);
    expect(await desk.ask(b, "auth.me")).toMatchObject({ name: "Owner" });
    const [session] = (await desk.ask<{ id: string; current: boolean }[]>(b, "auth.sessions")).filter(
      ({ current }) => current,
    );
    await owner.call(b, "auth.revokeSession", { id: session?.id });
    expect(await failure(desk.ask(a, "auth.me"))).toMatch(/^session_/);
  });

  it("that ends on one server ends its live board on the other", async () => {
    const desk = new Desk();
    await desk.call(a, "auth.login", OWNER);
    const board = await desk.watchBoard(b);
    await desk.call(a, "auth.logout");
    await addRoom(owner, a, "News");
    await vi.waitFor(() => expect(board.ended).toBe(true), WAIT);
    expect(board.versions).toHaveLength(1);
  });
});

it("the live board on one server shows a check-in on the other", async () => {
  const roomId = await addRoom(owner, a, "Watched");
  const board = await owner.watchBoard(b);
  await vi.waitFor(() => expect(board.versions).toHaveLength(1), WAIT);
  const [before] = board.versions;
  await checkIn(owner, a, roomId, "Seen Elsewhere");
  await vi.waitFor(() => expect(board.versions.at(-1)).toBeGreaterThan(before ?? 0), WAIT);
  board.stop();
});

describe("failed logins", () => {
  it("on one server count on the other, which accepts the first one's graphic code", async () => {
    const stranger = new Desk("198.51.100.9");
    for (const server of [a, b, a]) {
      expect(await failure(stranger.call(server, "auth.login", { ...OWNER, password: "wrong" }))).toBe(
        "credentials_wrong",
      );
    }
    expect(await failure(stranger.call(b, "auth.login", OWNER))).toBe("captcha_required");
    const { captchaId } = await stranger.call<{ captchaId: string }>(a, "auth.captcha");
    await nameCaptcha(captchaId, "K7WX");
    await stranger.call(b, "auth.login", { ...OWNER, captchaId, code: "K7WX" });
    expect(await stranger.ask(a, "auth.me")).toMatchObject({ name: "Owner" });
    expect(await failure(new Desk().call(a, "auth.login", { ...OWNER, captchaId, code: "K7WX" }))).not.toBe(
      "captcha_wrong",
    );
  });

  it("block an account for their network on both, wherever they happened", async () => {
    const account = "nobody@example.test";
    const guesser = new Desk("198.51.100.20");
    for (let n = 0; n < 10; n += 1) {
      const { captchaId } = await guesser.call<{ captchaId: string }>(b, "auth.captcha");
      await nameCaptcha(captchaId, "K7WX");
      const guess = { account, password: "wrong", captchaId, code: "K7WX" };
      expect(await failure(guesser.call(n % 2 === 0 ? a : b, "auth.login", guess))).toBe("credentials_wrong");
    }
    for (const server of [a, b]) {
      expect(await failure(guesser.call(server, "auth.login", { account, password: "x" }))).toBe("too_many_attempts");
    }
  });
});

/** Sets a captcha's answer to a text that the test chooses. */
async function nameCaptcha(captchaId: string, text: string): Promise<void> {
  const hash = secretBox(CLUSTER_KEY, "account").fingerprint(`captcha:${captchaId}:${text}`);
  await cluster.database.query("UPDATE captcha SET answer_hash = $2 WHERE id = $1", [captchaId, hash]);
}

describe("a lock at the broker", () => {
  it("is told to open on one server, answers, and is processed once, however many workers listen", async () => {
    const roomId = await addRoom(owner, a, "Door");
    const lock = await DoorLock.install(cluster, owner, b, roomId, "AA00BB00CC01");
    await vi.waitFor(async () => expect(await online(roomId)).toBe(true), WAIT);

    const opened: string[] = [];
    for (const server of [a, b, a, b]) {
      const { commandId } = await owner.call<{ commandId: string }>(server, "locks.open", { roomId });
      opened.push(commandId);
      await vi.waitFor(async () => {
        expect(await owner.ask(b, "locks.commandState", { commandId })).toMatchObject({ state: "acknowledged" });
      }, WAIT);
    }
    // A command that is unanswered 2 and 4.8 s after its lock came online is sent again; nothing else sends one twice.
    expect([...new Set(lock.received("unlock"))]).toEqual(opened);
    expect(lock.received("unlock").length).toBeLessThanOrEqual(opened.length + 2);

    for (let seq = 1; seq <= 5; seq += 1) await lock.tell(seq, { style: "card", success: true }, 4);
    const { rows } = await cluster.database.query(
      "SELECT count(*)::int AS kept FROM unlock_record WHERE room_id = $1",
      [roomId],
    );
    expect(rows).toEqual([{ kept: 5 }]);
    await lock.end();
  });
});

async function online(roomId: number): Promise<boolean> {
  const { rows } = await cluster.database.query("SELECT online FROM lock WHERE room_id = $1", [roomId]);
  return rows[0]?.online;
}

it("the jobs of a killed worker are run by another one, once each and in order", async () => {
  await vi.waitFor(() => expect(guestNames()).toContain("Held Back"), WAIT);
  const roomIds: number[] = [];
  for (let n = 0; n < 30; n += 1) roomIds.push(await addRoom(owner, n % 2 ? a : b, `J${n}`));
  const names = roomIds.map((_, n) => `Guest ${n}`);
  for (const [n, roomId] of roomIds.entries()) await checkIn(owner, n % 2 ? b : a, roomId, names[n] ?? "");
  await vi.waitFor(() => expect(guestNames().slice(-names.length)).toEqual(names), WAIT);
  expect(guestNames()).toEqual(["Held Back", "Seen Elsewhere", ...names]);
  expect(receiver.received[0]?.headers["webhook-id"]).toBe(withheldName);
  expect(receiver.mostAtOnce).toBe(1);
}, 300_000);
