import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { statusMessage } from "@innkey/shared/locks/protocol";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { PAIRING_SECRET, testBroker } from "./broker-under-test.ts";
import { command, credential, SETTINGS, sealedBy } from "./lock-under-test.ts";
import { type Door, type Street, type StreetOptions, startStreet } from "./street.ts";

const MAC = "D4:3A:2C:00:00:01";
const OTHER = "D4:3A:2C:00:00:02";

let hub: Awaited<ReturnType<typeof testBroker>>;
let folder: string;
let street: Street | undefined;

beforeEach(async () => {
  hub = await testBroker();
  folder = await mkdtemp(join(tmpdir(), "street-"));
});
afterEach(async () => {
  await street?.stop();
  street = undefined;
  await hub.close();
  await rm(folder, { recursive: true });
});

const until = (happens: () => void): Promise<void> => vi.waitFor(happens, { timeout: 10_000, interval: 5 });

async function awake(options: Partial<StreetOptions> = {}): Promise<Door> {
  const { locks = [hub.access(MAC)] } = options;
  street = startStreet({ resendMs: 100, memoryFile: join(folder, "locks.json"), ...options, locks });
  const [door] = street.doors;
  if (!door) throw new Error("an empty street");
  await until(() => expect(door.online).toBe(true));
  return door;
}

const lastStatus = (): unknown => hub.statuses(MAC).at(-1);
const forever = { ...credential(1, { kind: "passcode", code: "402917" }), validTo: null };

it("announces that it is online, and the broker announces that it is offline", async () => {
  const { lock } = await awake();
  await until(() =>
    expect(statusMessage.parse(lastStatus())).toMatchObject({ state: "online", power: 100, otpFloor: 0 }),
  );
  lock.faults = { ...lock.faults, offline: true };
  await until(() => expect(lastStatus()).toBe("offline"));
  lock.faults = { ...lock.faults, offline: false, lowBattery: true };
  await until(() => expect(lastStatus()).toMatchObject({ state: "online", power: 8 }));
  await street?.stop();
  expect(lastStatus()).toEqual({ state: "offline" });
});

it("executes commands in order, including those sent while it was offline", async () => {
  const { lock } = await awake();
  lock.faults = { ...lock.faults, offline: true };
  await until(() => expect(lastStatus()).toBe("offline"));
  const commands = [
    sealedBy(PAIRING_SECRET, command("configure", SETTINGS)),
    command("set_credential", forever),
    command("remove_credential", { slot: 1 }),
  ];
  for (const one of commands) await hub.tell(MAC, one);
  lock.faults = { ...lock.faults, offline: false };
  await until(() => expect(hub.acks(MAC)).toEqual(commands.map(({ id }) => ({ id, ok: true }))));
  expect(lock.memory.settings).toEqual(SETTINGS);
  expect(lock.memory.slots).toEqual([]);
});

it("executes a repeated command once and answers it each time, also if answers are lost or duplicated", async () => {
  const { lock } = await awake({ faults: { loseAcks: 1 } });
  const unlock = command("unlock", {});
  await hub.tell(MAC, unlock);
  await until(() => expect(lock.memory.events).toHaveLength(1));
  expect(hub.acks(MAC)).toEqual([]);
  lock.faults = { ...lock.faults, loseAcks: 0, doubleAcks: 1 };
  await hub.tell(MAC, unlock);
  await until(() => expect(hub.acks(MAC)).toEqual(Array(2).fill({ id: unlock.id, ok: true })));
  expect(lock.memory.events).toHaveLength(1);
});

it("executes a duplicated command once", async () => {
  const { lock } = await awake({ faults: { doubleCommands: 1 } });
  const unlock = command("unlock", {});
  await hub.tell(MAC, unlock);
  await until(() => expect(hub.acks(MAC)).toEqual(Array(2).fill({ id: unlock.id, ok: true })));
  expect(lock.memory.events).toHaveLength(1);
});

it("goes offline for a moment if its power fails during a command, and then executes it", async () => {
  const { lock } = await awake({ faults: { reboots: 1 } });
  const set = command("set_credential", forever);
  await hub.tell(MAC, set);
  await until(() => expect(lastStatus()).toBe("offline"));
  lock.faults = { ...lock.faults, reboots: 0 };
  await until(() => expect(lastStatus()).toMatchObject({ state: "online" }));
  expect(hub.acks(MAC)).toEqual([]);
  await hub.tell(MAC, set);
  await until(() => expect(hub.acks(MAC)).toEqual([{ id: set.id, ok: true }]));
  expect(lock.memory.slots).toHaveLength(1);
});

it("is offline with a flat battery and reconnects with a new one", async () => {
  const { lock } = await awake();
  lock.faults = { ...lock.faults, flatBattery: true };
  await until(() => expect(lastStatus()).toBe("offline"));
  lock.faults = { ...lock.faults, flatBattery: false };
  await until(() => expect(lastStatus()).toMatchObject({ state: "online", power: 100 }));
});

it("ignores an acknowledgement of more events than it has sent", async () => {
  const { lock } = await awake({ resendMs: 60_000 });
  lock.openInside();
  await until(() => expect(hub.batches(MAC)).toHaveLength(1));
  await hub.takeEvents(MAC, (lock.memory.events[0]?.seq ?? 0) + 1);
  await until(() => expect(lock.memory.strangeAcks).toBe(1));
  expect(lock.memory.events).toHaveLength(1);
});

it("has no network after a factory reset, and can be connected to another one", async () => {
  const door = await awake();
  await door.reset();
  await until(() => expect(lastStatus()).toEqual({ state: "offline" }));
  expect([door.online, door.lock.memory.pairing]).toEqual([false, null]);
  await vi.waitFor(async () => expect(await readFile(join(folder, "locks.json"), "utf8")).not.toContain(MAC), 5_000);
  await door.connect(hub.access(MAC, "another"));
  await until(() => expect(door.online).toBe(true));
  expect(door.lock.memory.pairing?.secret).toBe(PAIRING_SECRET);
});

it("does nothing while it is dead or commands are lost", async () => {
  const { lock } = await awake({ faults: { dead: true } });
  await hub.tell(MAC, command("unlock", {}));
  lock.faults = { ...lock.faults, dead: false, loseCommands: 1 };
  await hub.tell(MAC, command("unlock", {}));
  lock.faults = { ...lock.faults, loseCommands: 0 };
  const last = command("notice", { text: "awake" });
  await hub.tell(MAC, last);
  await until(() => expect(hub.acks(MAC).at(-1)?.id).toBe(last.id));
});

it("answers an unknown command as unsupported", async () => {
  await awake();
  const first = command("unlock", {});
  await hub.tell(MAC, { ...first, type: "fly" as "unlock" });
  await until(() => expect(hub.acks(MAC)).toEqual([{ id: first.id, ok: false, error: "unsupported" }]));
});

it("sends events again, oldest first, until they are acknowledged", async () => {
  const { lock } = await awake();
  lock.openInside();
  lock.turnKey();
  const first = lock.memory.events[0]?.seq ?? 0;
  await until(() => expect(hub.batches(MAC).length).toBeGreaterThan(1));
  const [one, two] = hub.batches(MAC);
  expect([one?.[0]?.seq, two?.map(({ seq }) => seq)]).toEqual([first, [first, first + 1]]);
  await hub.takeEvents(MAC, first);
  await until(() =>
    expect(
      hub
        .batches(MAC)
        .at(-1)
        ?.map(({ seq }) => seq),
    ).toEqual([first + 1]),
  );
  await hub.takeEvents(MAC, first + 1);
  await until(() => expect(lock.memory.events).toEqual([]));
});

it("sends many events in batches without a gap", async () => {
  const { lock } = await awake({ resendMs: 60_000 });
  for (let n = 0; n < 250; n += 1) lock.openInside();
  const seqs = new Set<number>();
  for (let last = 0; seqs.size < 250; ) {
    await until(() => expect(hub.batches(MAC).at(-1)?.at(-1)?.seq).toBeGreaterThan(last));
    const batch = hub.batches(MAC).at(-1) ?? [];
    for (const { seq } of batch) seqs.add(seq);
    last = batch.at(-1)?.seq ?? 0;
    await hub.takeEvents(MAC, last);
  }
  const numbers = [...seqs];
  expect((numbers.at(-1) ?? 0) - (numbers[0] ?? 0)).toBe(249);
  await until(() => expect(lock.memory.events).toEqual([]));
});

it("reconnects if the broker accepts its connection but not its subscription", async () => {
  const { authorizeSubscribe } = hub.broker;
  let refused = 0;
  hub.broker.authorizeSubscribe = (client, subscription, done) => {
    if (refused > 1) return authorizeSubscribe(client, subscription, done);
    refused += 1;
    done(null, null);
  };
  await awake();
  expect(refused).toBe(2);
  await hub.tell(MAC, command("unlock", {}));
  await until(() => expect(hub.acks(MAC)).toHaveLength(1));
});

it("sends events again after the connection was cut", async () => {
  const { lock } = await awake({ resendMs: 60_000 });
  lock.openInside();
  await until(() => expect(hub.batches(MAC)).toHaveLength(1));
  hub.cut(MAC);
  await until(() => expect(hub.batches(MAC)).toHaveLength(2));
  expect(hub.batches(MAC)[1]).toEqual(hub.batches(MAC)[0]);
});

it("saves its state in a file that only its owner can read", async () => {
  const unlock = command("unlock", {});
  const first = await awake();
  await hub.tell(MAC, command("set_credential", forever));
  await hub.tell(MAC, unlock);
  await until(() => expect(hub.acks(MAC)).toHaveLength(2));
  const { memory } = first.lock;
  await street?.stop();
  const file = join(folder, "locks.json");
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await readFile(file, "utf8")).toContain("402917");

  const second = await awake();
  expect(second.lock.memory).toEqual(memory);
  await hub.tell(MAC, unlock);
  await until(() => expect(hub.acks(MAC)).toHaveLength(3));
  expect(second.lock.memory.events).toHaveLength(1);
});

it("asks for a new password when the broker refuses the old one", async () => {
  const old = hub.access(MAC, "old");
  const fresh = hub.access(MAC, "new");
  const renew = vi.fn(async () => fresh);
  await awake({ locks: [old], renew });
  expect(renew).toHaveBeenCalledExactlyOnceWith(MAC);
});

it("a fault of one lock does not affect another", async () => {
  await awake({ locks: [hub.access(MAC), hub.access(OTHER)] });
  const [first] = street?.doors ?? [];
  if (first) first.lock.faults = { ...first.lock.faults, slow: 60_000 };
  await hub.tell(MAC, command("unlock", {}));
  const unlock = command("unlock", {});
  await hub.tell(OTHER, unlock);
  await until(() => expect(hub.acks(OTHER)).toEqual([{ id: unlock.id, ok: true }]));
  expect(hub.acks(MAC)).toEqual([]);
  expect(street?.door("d43a2c000002")?.mac).toBe(OTHER);
});
