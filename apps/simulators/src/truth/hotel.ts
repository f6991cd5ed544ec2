import type { LockAccess, LockRow } from "@innkey/shared/schemas/access/locks";
import { type Street, type Door as StreetDoor, startStreet } from "../locks/street.ts";
import { pause } from "../service.ts";
import { DeskSession, type HotelServer } from "./hotel-server.ts";
import { SeededRandom } from "./seeded-random.ts";

const OWNER = { name: "Owner", account: "owner@example.test", password: "doors-do-as-they-are-told" };
const HOTEL_ID = 1;
const CONNECT_LIMIT_MS = 60_000;
const STATUS_EVERY_MS = 10_000;
const ZONES: readonly ZoneGuests[] = ["all", "group", "extra"];
const RESEND_AFTER_MS = 2_000;

/** Who opens a common door with the keys of their stay: all guests, those in rooms of a group, or those with an extra. */
export type ZoneGuests = "all" | "group" | "extra";

/** A door of a room or a common door, its lock as the console lists it, and its simulated door. */
export interface Door {
  name: string;
  /** 0: a common door */
  roomId: number;
  /** null: a room's door */
  zone: ZoneGuests | null;
  /** its room is in the group that opens a zone */
  isInGroup: boolean;
  lockId: number;
  mac: string;
  door: StreetDoor;
  /** events of lost memories, by eventName; "optional" ones may not have reached the console */
  lostEvents: Map<string, "certain" | "optional">;
  /** number before the first event of the current memory */
  seqBefore: number;
  /** it lost its memory and the console has not been seen to restore it since */
  hasLostMemory: boolean;
  /** it is offline and has been silent for longer than the console's margin */
  isSilent: boolean;
  /** a factory reset removed its account, so it has to be connected again */
  needsConnection: boolean;
  resets: number;
  /** openings that the desk requested, and those that the lock executed */
  openRequests: number;
  openCount: number;
}

export interface Hotel {
  desk: DeskSession;
  /** those of rooms first */
  doors: readonly Door[];
  rooms: readonly Door[];
  /** zone that can be added to a stay; null: the hotel has no zones */
  extraZoneId: number | null;
  street: Street;
  locks(): Promise<LockRow[]>;
  stop(): Promise<void>;
}

/**
 * Creates a hotel of `count` rooms, each with a simulated lock that was connected the way an installer does it; with
 * `hasZones`, also common doors in zones that all guests, those of every second room, and those with an extra open.
 */
export async function openHotel(
  server: HotelServer,
  count: number,
  random: SeededRandom,
  { hasZones = false }: { hasZones?: boolean } = {},
): Promise<Hotel> {
  const desk = new DeskSession(server);
  await desk.change("setup.create", {
    hotel: { name: "Truth", timeZone: "Europe/Berlin", currency: "EUR" },
    owner: OWNER,
  });
  const places: Pick<Door, "name" | "roomId" | "zone" | "isInGroup" | "mac">[] = [];
  const groupId = hasZones ? (await desk.change<{ id: number }>("groups.save", { name: "High", sort: 1 })).id : null;
  for (let n = 0; n < count; n += 1) {
    const name = `${101 + n}`;
    const mac = `02:00:00:00:70:${n.toString(16).padStart(2, "0").toUpperCase()}`;
    const { roomId } = await desk.change<{ roomId: number }>("rooms.save", {
      ...{ name, groupId: n % 2 === 1 ? groupId : null, lock: { mac } },
    });
    places.push({ name, roomId, mac, zone: null, isInGroup: groupId !== null && n % 2 === 1 });
  }
  const roomIds = places.map(({ roomId }) => roomId);
  let extraZoneId: number | null = null;
  for (const [n, zone] of (hasZones ? ZONES : []).entries()) {
    const mac = `02:00:00:00:71:0${n}`;
    const { lockId } = await desk.change<{ lockId: number }>("locks.save", { mac });
    const name = `Door for ${zone}`;
    const { doorId } = await desk.change<{ doorId: number }>("doors.save", { name, kind: "entrance", lockId });
    const { zoneId } = await desk.change<{ zoneId: number }>("zones.save", {
      ...{ name, kind: "entrance", doorIds: [doorId] },
      ...{ everyGuest: zone === "all", isExtra: zone === "extra", groupIds: zone === "group" ? [groupId] : [] },
    });
    if (zone === "extra") extraZoneId = zoneId;
    places.push({ name, roomId: 0, mac, zone, isInGroup: false });
  }
  const prices = { depositMinor: 0, usualMinor: 10_000, weekendMinor: 10_000 };
  await desk.change("rooms.setPrices", { roomIds, prices });

  const rows = await desk.read<LockRow[]>("locks.list");
  const accesses = [];
  for (const place of places) {
    const { mac } = place;
    const lockId = rows.find((row) => row.mac === mac)?.id ?? 0;
    const { url, user, password, pairingSecret } = await desk.change<LockAccess>("locks.connect", { lockId });
    accesses.push({ ...place, url, user, password, pairingSecret, hotelId: HOTEL_ID, lockId });
  }
  // A separate generator: locks draw a number on every message, which would change the order of the desk's actions.
  const doorRandom = new SeededRandom(random.int(0, 2 ** 31));
  const street = startStreet({
    locks: accesses,
    resendMs: RESEND_AFTER_MS,
    statusMs: STATUS_EVERY_MS,
    random: doorRandom.next,
  });
  const doors = accesses.map(({ name, mac, lockId, roomId, zone, isInGroup }): Door => {
    const door = street.door(mac);
    if (!door) throw new Error(`no door ${mac}`);
    const initialState = {
      isSilent: false,
      hasLostMemory: false,
      needsConnection: false,
      resets: 0,
      openRequests: 0,
      openCount: 0,
    };
    return {
      ...initialState,
      lostEvents: new Map(),
      name,
      roomId,
      zone,
      isInGroup,
      lockId,
      mac,
      door,
      seqBefore: door.lock.memory.seq,
    };
  });
  for (const door of doors) countOpenings(door);
  await street.awake(CONNECT_LIMIT_MS);
  const hotel: Hotel = {
    desk,
    doors,
    rooms: doors.filter(({ zone }) => zone === null),
    extraZoneId,
    street,
    locks: () => desk.read<LockRow[]>("locks.list"),
    stop: () => street.stop(),
  };
  await requireUntil("every lock has its keys", CONNECT_LIMIT_MS, async () =>
    (await hotel.locks()).every(
      ({ online, waiting, configuredAt }) => online && waiting === 0 && configuredAt !== null,
    ),
  );
  return hotel;
}

/** Counts the openings from the desk that the lock carries out. */
function countOpenings(door: Door): void {
  const { lock } = door.door;
  const execute = lock.do.bind(lock);
  lock.do = (command) => {
    const isRepeat = lock.memory.done.includes(command.id);
    const answer = execute(command);
    if (command.type === "unlock" && answer.ok && !isRepeat) door.openCount += 1;
    return answer;
  };
}

export const eventName = ({ log, seq }: { log: string; seq: number }): string => `${log} ${seq}`;

/** Returns all events of a door since the start, from all its memories. */
export function eventsOf({ lostEvents, seqBefore, door }: Door): Map<string, "certain" | "optional"> {
  const { log, seq } = door.lock.memory;
  const events = new Map(lostEvents);
  for (let number = seqBefore + 1; number <= seq; number += 1) events.set(eventName({ log, seq: number }), "certain");
  return events;
}

/** Saves the door's events before its memory is lost; those that were not acknowledged become optional. */
export function saveLostMemory(door: Door): void {
  const { log, events } = door.door.lock.memory;
  door.lostEvents = eventsOf(door);
  for (const { seq } of events) door.lostEvents.set(eventName({ log, seq }), "optional");
  door.seqBefore = 0;
  door.hasLostMemory = true;
  door.resets += 1;
}

/** Disconnects a lock from its network until its troubles end. */
export function cutOff({ door }: Door): void {
  door.lock.faults = { ...door.lock.faults, offline: true };
}

/** Checks a condition until it is true or the time is up. Returns whether it became true. */
export async function waitUntil(limitMs: number, condition: () => Promise<boolean>): Promise<boolean> {
  for (const end = Date.now() + limitMs; ; await pause(250)) {
    if (await condition().catch(() => false)) return true;
    if (Date.now() > end) return false;
  }
}

/** @throws Error if the condition isn't true in time */
export async function requireUntil(what: string, limitMs: number, condition: () => Promise<boolean>): Promise<void> {
  if (!(await waitUntil(limitMs, condition))) throw new Error(`timed out after ${limitMs / 1000} s: ${what}`);
}
