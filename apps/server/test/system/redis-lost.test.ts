import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { Desk } from "../clients/desk.ts";
import {
  addRoom,
  type Cluster,
  checkIn,
  DoorLock,
  OWNER,
  openHotel,
  type ServerProcess,
  startCluster,
} from "../processes/cluster.ts";

const WAIT = { timeout: 60_000, interval: 50 };

let cluster: Cluster;
let a: ServerProcess;
let b: ServerProcess;
let owner: Desk;
let lock: DoorLock;
let roomId: number;

beforeAll(async () => {
  cluster = await startCluster();
  [a, b] = await Promise.all([cluster.web(), cluster.web()]);
  await Promise.all([cluster.worker(), cluster.worker()]);
  owner = await openHotel(a);
  roomId = await addRoom(owner, a, "Door");
  lock = await DoorLock.install(cluster, owner, a, roomId, "AA00BB00CC02");
  await vi.waitFor(() => expect(lock.received("configure").length).toBeGreaterThan(0), WAIT);
  await vi.waitFor(() => opens(a), WAIT);
}, 300_000);

afterAll(async () => {
  await lock?.end();
  await cluster?.close();
});

/** Opens a door and waits until the lock's acknowledgement is stored. */
async function opens(server: ServerProcess): Promise<void> {
  const { commandId } = await owner.call<{ commandId: string }>(server, "locks.open", { roomId });
  await vi.waitFor(async () => {
    expect(await owner.ask(server, "locks.commandState", { commandId })).toMatchObject({ state: "acknowledged" });
  }, WAIT);
}

/** Checks in and waits until a desk on the other server gets the change, or a notice that it may have missed some. */
async function showsCheckIn(name: string): Promise<void> {
  const room = await addRoom(owner, a, name);
  const board = await owner.watchBoard(b);
  await vi.waitFor(() => expect(board.versions.length).toBeGreaterThan(0), WAIT);
  const [before] = board.versions;
  await checkIn(owner, a, room, name);
  await vi.waitFor(() => {
    expect(board.versions.slice(1).some((version) => version === null || version > (before ?? 0))).toBe(true);
  }, WAIT);
  board.stop();
}

it("continues without Redis, and runs as before when it returns empty", async () => {
  const watched = await owner.watchBoard(b);
  await showsCheckIn("Before");
  await cluster.redis.kill();

  const versionCount = watched.versions.length;
  await checkIn(owner, a, await addRoom(owner, b, "Gone"), "Meanwhile");
  await vi.waitFor(() => expect(watched.versions.length).toBeGreaterThan(versionCount), WAIT);
  await showsCheckIn("During");
  await new Desk().call(a, "auth.login", OWNER);
  const stranger = new Desk("198.51.100.77");
  for (const server of [a, b, a]) {
    await expect(stranger.call(server, "auth.login", { ...OWNER, password: "wrong" })).rejects.toThrow(
      "credentials_wrong",
    );
  }
  await expect(stranger.call(b, "auth.login", OWNER)).rejects.toThrow("captcha_required");
  await opens(b);

  // The sweep, a schedule in Redis, repeats the command of a silent lock.
  lock.silent = true;
  const notices = lock.received("notice").length;
  await owner.call(a, "locks.notice", { roomIds: [roomId], text: "Back soon" });
  await vi.waitFor(() => expect(lock.received("notice").length).toBeGreaterThan(notices), WAIT);
  lock.silent = false;
  await cluster.redis.start();
  await vi.waitFor(async () => expect(await waiting()).toEqual([]), WAIT);

  await showsCheckIn("After");
  await opens(a);
  watched.stop();
}, 300_000);

async function waiting(): Promise<unknown[]> {
  const { rows } = await cluster.database.query(
    `SELECT k.type, k.state, k.tries, k.error, k.next_try_at - now() AS "nextTryIn", l.online, l.breaker_opened_at AS "silentSince"
      FROM lock_command k JOIN lock l ON l.id = k.lock_id WHERE k.state IN ('queued', 'sent')`,
  );
  return rows;
}
