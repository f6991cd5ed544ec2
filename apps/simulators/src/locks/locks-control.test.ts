import { afterEach, beforeEach, expect, it } from "vitest";
import { type Simulators, startSimulators } from "../simulators.ts";
import { testBroker } from "./broker-under-test.ts";
import { NO_LOCK_FAULTS } from "./lock-faults.ts";
import { HOUR, instant, LOCK_NUMBER, SETTINGS, sendCommand, UID, writtenCard } from "./lock-under-test.ts";
import { type Street, startStreet } from "./street.ts";

const MAC = "D4:3A:2C:00:00:01";
const PATH = `/locks/${MAC.replaceAll(":", "")}`;
const ANY = { http: 0, hid: 0, socket: 0, fingerprint: 0, control: 0 };

let hub: Awaited<ReturnType<typeof testBroker>>;
let street: Street;
let desk: Simulators;

beforeEach(async () => {
  hub = await testBroker();
  street = startStreet({ locks: [{ ...hub.access(MAC), name: "101" }] });
  desk = await startSimulators(ANY, street);
});
afterEach(async () => {
  await Promise.all([street.stop(), desk.stop()]);
  await hub.close();
});

async function call(method: string, path: string, body?: object): Promise<unknown> {
  const response = await fetch(desk.urls.control + path, { method, ...(body && { body: JSON.stringify(body) }) });
  return response.ok ? response.json() : response.status;
}

it("lists the doors without their secrets", async () => {
  expect(await street.awake(10_000)).toBe(1);
  const lock = street.door(MAC)?.lock;
  if (!lock) throw new Error("no lock");
  sendCommand(lock, "configure", SETTINGS);
  const answer = await call("GET", "/locks");
  expect(answer).toMatchObject({ locks: [{ room: "101", mac: MAC, online: true, power: 100, configured: true }] });
  expect(JSON.stringify(answer)).not.toContain(SETTINGS.secret);
  expect(await call("GET", PATH)).toMatchObject({ room: "101" });
  expect(await call("GET", "/locks/D43A2C0000FF")).toBe(404);
  expect(await call("DELETE", PATH)).toBe(404);
});

it("presents the card on the reader, or another card of the desk, to the door", async () => {
  const lock = street.door(MAC)?.lock;
  if (!lock) throw new Error("no lock");
  sendCommand(lock, "configure", SETTINGS);
  const now = Date.now();
  const card = writtenCard({ validFrom: instant(now - HOUR), validTo: instant(now + HOUR) });
  desk.reader.cards.push(card, writtenCard({ opens: { lock: LOCK_NUMBER + 1 } }));
  expect(await call("POST", `${PATH}/present`, {})).toBe(404);
  desk.reader.put(card);
  expect(await call("POST", `${PATH}/present`, {})).toEqual({ opened: true, reason: null });
  expect(await call("POST", `${PATH}/present`, { uid: UID })).toEqual({ opened: true, reason: null });
  expect(await call("POST", `${PATH}/present`, { uid: "01020304" })).toEqual({ opened: false, reason: "unknown" });
  expect(await call("POST", `${PATH}/present`, { uid: "no card" })).toBe(404);
  expect(await call("POST", `${PATH}/present`, { code: "000000" })).toEqual({ opened: false, reason: "unknown" });
  expect(await call("POST", `${PATH}/present`, { inside: true })).toEqual({ opened: true, reason: null });
});

it("injects faults within limits and sets a code at the door", async () => {
  const set = await call("PUT", `${PATH}/faults`, { loseAcks: 7, jam: true, lowBattery: true, slow: "long" });
  expect(set).toMatchObject({
    power: 8,
    faults: { loseAcks: 1, jam: true, lowBattery: true, slow: 0, offline: false },
  });
  await call("POST", "/reset");
  expect(await call("GET", PATH)).toMatchObject({ power: 100, faults: NO_LOCK_FAULTS });
  expect(await call("POST", `${PATH}/learn`, { code: "731846", name: "Gardener" })).toEqual({ slot: 1_000_000_001 });
  expect(await call("POST", `${PATH}/present`, { code: "731846" })).toEqual({ opened: true, reason: null });
  expect(await call("POST", `${PATH}/learn`, { code: "7318" })).toBe(404);
});

it("resets a lock, which then has to be connected again", async () => {
  await street.awake(10_000);
  const lock = street.door(MAC)?.lock;
  if (!lock) throw new Error("no lock");
  sendCommand(lock, "configure", SETTINGS);
  expect(await call("POST", `${PATH}/reset`, { keepNetwork: true })).toMatchObject({ configured: false, online: true });
  expect(lock.memory.pairing).not.toBeNull();
  expect(await call("POST", `${PATH}/reset`, {})).toMatchObject({ configured: false, online: false, strangeAcks: 0 });
  expect(lock.memory.pairing).toBeNull();
  expect(await call("POST", `${PATH}/connect`, { url: hub.url })).toBe(404);
  const { url, user, password, pairingSecret } = hub.access(MAC, "another");
  expect(await call("POST", `${PATH}/connect`, { url, user, password, pairingSecret })).toMatchObject({ room: "101" });
  expect(await street.awake(10_000)).toBe(1);
});
