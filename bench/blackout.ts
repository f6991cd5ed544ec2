// The blackout drill: kills the server of a house with guests, opens the emergency list without it, tries every guest's
// code and card at every door, and measures how long it takes until the console is back and knows what the doors did. The
// locks are simulated and connected to the console's embedded broker.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { makeBackupKey, writeKeyFile } from "../apps/server/src/adapters/backup/backup-key.ts";
import { connectDatabase, type Database } from "../apps/server/src/adapters/postgres/client.ts";
import { accessHash } from "../apps/server/src/domain/access/lock-links/device-access.ts";
import { type Door, startStreet } from "../apps/simulators/src/locks/street.ts";
import { lockUser } from "../packages/shared/src/locks/protocol.ts";
import type { PasscodeCreated } from "../packages/shared/src/schemas/access/passcodes.ts";
import { openBench } from "./measuring/bench.ts";
import { withLoadHotel } from "./measuring/load-database.ts";
import { logIn } from "./measuring/owner.ts";
import type { Row } from "./measuring/result.ts";
import { freePort } from "./soak/neighbours.ts";

const bench = openBench("blackout", { full: { rooms: 60 }, tiny: { rooms: 4 } });
const { rooms } = bench.sizes;
const PASSWORD = "of-the-bench";
const LIMIT_MS = 180_000;
const ROSTER = fileURLToPath(new URL("../apps/server/dist/cli/roster.js", import.meta.url));

/** Gives every room a lock, all with the same password. */
async function fill({ pool }: Database, hotelId: number): Promise<void> {
  await pool.query(
    `INSERT INTO lock (hotel_id, room_id, mac)
     SELECT r.hotel_id, r.id, upper('0e:' || regexp_replace(lpad(to_hex(r.id), 10, '0'), '(..)(?=.)', '\\1:', 'g'))
     FROM room r WHERE r.hotel_id = $1 AND NOT EXISTS (SELECT FROM lock l WHERE l.room_id = r.id)`,
    [hotelId],
  );
  await pool.query("UPDATE lock SET access_hash = $2 WHERE hotel_id = $1", [hotelId, accessHash(PASSWORD)]);
}

/** A party in the house, with a door code and a card that opens by its number. */
interface Party {
  stayId: number;
  roomId: number;
  room: string;
  mac: string;
  guest: string;
  code: string;
  uid: string;
}

const PARTIES = `SELECT s.id AS "stayId", r.id AS "roomId", r.name AS room, l.mac, g.name AS guest
  FROM stay_now s JOIN room r ON r.id = s.room_id JOIN lock l ON l.room_id = r.id JOIN primary_guest g ON g.stay_id = s.id
  WHERE s.hotel_id = $1 AND s.state = 'checked_in' ORDER BY r.id`;

const steps: Row[] = [];
async function measure<T>(step: string, work: () => Promise<T>): Promise<T> {
  const startedAt = performance.now();
  const result = await work();
  steps.push({ table: "steps", step, seconds: (performance.now() - startedAt) / 1000 });
  return result;
}

async function until(isMet: () => boolean | Promise<boolean>): Promise<void> {
  for (const end = Date.now() + LIMIT_MS; !(await isMet()); await delay(100))
    assert.ok(Date.now() < end, "the condition was not met in time");
}

async function change<T>(url: string, cookie: string, procedure: string, input?: object): Promise<T> {
  const headers = { "content-type": "application/json", "x-innkey": "1", cookie };
  const body = input && JSON.stringify(input);
  const response = await fetch(`${url}/api/trpc/${procedure}`, { method: "POST", headers, ...(body && { body }) });
  const text = await response.text();
  assert.ok(response.ok, `${procedure} answered ${response.status}: ${text}`);
  return JSON.parse(text).result.data as T;
}

/** Runs the command with an environment that knows nothing of the server. */
async function roster(dataDir: string, ...args: string[]): Promise<string> {
  const env = { PATH: process.env.PATH, DATA_DIR: dataDir };
  const child = spawn(process.execPath, [ROSTER, ...args], { env, stdio: ["ignore", "pipe", "inherit"] });
  let printed = "";
  child.stdout.on("data", (chunk: Buffer) => {
    printed += chunk.toString();
  });
  const [code] = await once(child, "close");
  assert.equal(code, 0);
  return printed;
}

/** Tries the keys of each party at every door: each opens its own and no other. Returns the number of attempts. */
function tryDoors(doors: readonly Door[], parties: readonly Party[]): number {
  for (const { lock, mac } of doors) {
    for (const party of parties) {
      const isOwn = party.mac === mac;
      const card = lock.presentCard({ uid: party.uid, read: () => null });
      assert.equal(card.opened, isOwn, `card of ${party.room} at ${mac}: ${card.reason}`);
    }
    const own = parties.find((party) => party.mac === mac);
    const code = own && lock.enterCode(own.code);
    assert.ok(!code || code.opened, `code of ${own?.room}: ${code?.reason}`);
    const other = parties.find((party) => party.mac !== mac && party.code !== own?.code);
    if (other) assert.equal(lock.enterCode(other.code).opened, false, `code of ${other.room} at ${mac}`);
  }
  return doors.length * parties.length;
}

await withLoadHotel(rooms, fill, async ({ url, hotelId, world }) => {
  const [port, folder, desk] = [await freePort(), join(world.dataDir, "stick"), join(world.dataDir, "desk")];
  await mkdir(desk);
  const key = await makeBackupKey();
  await writeKeyFile(join(desk, "key"), key, new Date());
  const env = { MQTT_PORT: String(port), ROSTER_DIR: folder };
  let server = await world.serve(url, { env });
  const database = connectDatabase(url, 2, () => undefined);
  const { rows: locks } = await database.pool.query<{ mac: string }>(
    "SELECT mac FROM lock WHERE hotel_id = $1 AND room_id IS NOT NULL ORDER BY id",
    [hotelId],
  );
  const street = startStreet({
    locks: locks.map(({ mac }) => ({
      url: `mqtt://127.0.0.1:${port}`,
      user: lockUser(hotelId, mac),
      password: PASSWORD,
      // These locks receive no keys, so they only have lists.
      pairingSecret: "00".repeat(16),
      ...{ hotelId, mac },
    })),
  });
  try {
    assert.equal(await street.awake(LIMIT_MS), locks.length, "all locks are connected");
    let cookie = await logIn(server.url);
    const { rows } = await database.pool.query<Omit<Party, "code" | "uid">>(PARTIES, [hotelId]);
    assert.ok(rows.length > 0);
    const parties: Party[] = [];
    for (const [at, party] of rows.entries()) {
      const { stayId, roomId } = party;
      const uid = (0xdb000000 + at).toString(16).toUpperCase();
      const door = { type: "air", roomIds: [roomId], person: party.guest, stayId };
      const { code } = await change<PasscodeCreated>(server.url, cookie, "passcodes.create", door);
      await change(server.url, cookie, "cards.addOverTheAir", { uid, stayId });
      parties.push({ ...party, code, uid });
    }
    const keysAtDoors = (): number => street.doors.reduce((sum, { lock }) => sum + lock.memory.slots.length, 0);
    await until(() => keysAtDoors() >= parties.length * 2);
    await change(server.url, cookie, "rosters.saveSettings", { recipients: [key.recipient], time: "22:00", keep: 7 });
    await measure("the emergency list is made and is in its folder", () => change(server.url, cookie, "rosters.make"));

    process.kill(server.pid, "SIGKILL");
    await until(() => street.doors.every(({ online }) => !online));
    const darkAt = performance.now();
    const [file = ""] = await readdir(folder);
    const args = ["open", join(folder, file), "--key", join(desk, "key")];
    const printed = await measure("the list is printed on another computer", () => roster(desk, ...args));
    for (const { room, guest, uid } of parties) {
      const line = printed.split("\n").find((one) => one.startsWith(`${room}\t`) && one.includes(guest));
      assert.ok(line?.includes(uid.slice(-4)), `${room}, ${guest}: ${line}`);
    }
    assert.ok(parties.every(({ code, uid }) => !printed.includes(`\t${code}`) && !printed.includes(uid)));
    await measure("the same as a page for the browser", () => roster(desk, ...args, "--to", join(desk, "page")));
    const attempts = tryDoors(street.doors, parties);
    const events = street.doors.reduce((sum, { lock }) => sum + lock.memory.events.length, 0);
    assert.ok(events >= attempts, "the locks remember what happened at their doors");
    steps.push({ table: "steps", step: "server away, together", seconds: (performance.now() - darkAt) / 1000 });

    server = await measure("the server is started and answers", () => world.serve(url, { env }));
    await measure("every lock is connected again", () => street.awake(LIMIT_MS));
    await measure("the door log has everything that happened meanwhile", () =>
      until(() => street.doors.every(({ lock }) => lock.memory.events.length === 0)),
    );
    const { rows: counted } = await database.pool.query<{ records: number }>(
      `SELECT count(*)::int AS records FROM unlock_record u JOIN lock l ON l.id = u.lock_id
        WHERE u.hotel_id = $1 AND l.mac = ANY ($2::text[]) AND u.received_at > now() - interval '10 minutes'`,
      [hotelId, locks.map(({ mac }) => mac)],
    );
    assert.ok((counted[0]?.records ?? 0) >= events, `${counted[0]?.records} of ${events} records`);
    cookie = await logIn(server.url);
    await bench.finish(steps, { parties: parties.length, locks: locks.length, attempts, events });
  } finally {
    await street.stop();
    await server.stop();
    await database.close();
  }
});
