import type { PreparedCard } from "@innkey/shared/schemas/access/cards";
import type { KeyVerdict, LockAccess } from "@innkey/shared/schemas/access/locks";
import type { PasscodeCreated } from "@innkey/shared/schemas/access/passcodes";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type LockFaults, NO_LOCK_FAULTS } from "../locks/lock-faults.ts";
import type { Opening } from "../locks/virtual-lock.ts";
import { cardAtDoor, VirtualCard } from "../virtual-card.ts";
import { type Door, type Hotel, openHotel, requireUntil } from "./hotel.ts";
import { HotelServer } from "./hotel-server.ts";
import { writtenPlastic } from "./keys.ts";
import { SeededRandom } from "./seeded-random.ts";

/** Each cause is produced at a separate door; then the test asks the console the way the browser does. */
const DOORS = 33;
const REPORT_MS = 20_000;
/** a key of another hotel */
const OTHER_KEY = "A0A1A2A3A4A5";
const NEVER_RIGHT = "000000";
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const TEN_DAYS = 864_000;
const random = new SeededRandom(25);

let server: HotelServer;
let hotel: Hotel;
let next = 0;

/** A guest's card: its id in the console, its number, and the simulated card with its contents. */
interface Card {
  id: number;
  uid: string;
  plastic: VirtualCard;
}
type Question = { number: string; roomId?: number } | { roomId: number };
/** Both ways to ask: with the card on the reader, and from the room. */
const questions = ({ card, door }: { card: Card; door: Door }): Question[] => [
  { number: card.uid },
  { roomId: door.roomId },
];

/** A card refused at an offline lock with a wrong clock. The last tests write it again and explain it, a minute later. */
let late: Awaited<ReturnType<typeof guest>>;
let refusedAt: number;

beforeAll(async () => {
  server = await HotelServer.start();
  hotel = await openHotel(server, DOORS, random);
  late = await guest();
  expect(present(late.door, late.card).opened).toBe(true);
  await waitForReport(late.door);
  await goAway(late.door);
  setFaults(late.door, { offline: true, driftSeconds: -TEN_DAYS });
  const overwritten = new VirtualCard({ name: "", uid: late.card.uid, keyA: OTHER_KEY });
  refusedFor(present(late.door, { ...late.card, plastic: overwritten }), "unknown");
  refusedAt = Date.now();
}, 180_000);
afterAll(async () => {
  await hotel?.stop();
  await server?.remove();
});

const iso = (at: number): string => new Date(at).toISOString();

function freshDoor(): Door {
  const door = hotel.doors[next];
  next += 1;
  if (!door) throw new Error("no door is left");
  return door;
}

async function checkIn(door: Door, endsAt = Date.now() + 24 * HOUR): Promise<number> {
  const { stayId } = await hotel.desk.change<{ stayId: number }>("stays.checkIn", {
    ...{ roomId: door.roomId, unit: "day", startsAt: iso(Date.now() - 3 * HOUR), endsAt: iso(endsAt) },
    ...{ guests: [{ name: `Guest of ${door.name}` }], confirmDirty: true, confirmAlreadyIn: true },
  });
  return stayId;
}

type Writing = { uid?: string; how?: "whole" | "torn" | "unconfirmed"; disableOldCards?: boolean };

/** Prepares, writes, reads back and confirms a card; `how` sets what goes wrong. */
async function write(procedure: string, input: object, { uid = random.hex(4), how = "whole" }: Writing): Promise<Card> {
  const prepared = await hotel.desk.change<PreparedCard>(procedure, { uid, overwrite: true, note: "", ...input });
  const { plastic, readBack } = writtenPlastic(prepared, how === "torn");
  if (how === "whole") await hotel.desk.change("cards.confirm", { cardId: prepared.cardId, readBack });
  return { id: prepared.cardId, uid, plastic };
}

const guestCard = (stayId: number, { disableOldCards = false, ...writing }: Writing = {}): Promise<Card> =>
  write("cards.prepare", { stayId, disableOldCards }, writing);

async function guest(endsAt?: number): Promise<{ door: Door; stayId: number; card: Card }> {
  const door = freshDoor();
  const stayId = await checkIn(door, endsAt);
  return { door, stayId, card: await guestCard(stayId) };
}

async function codeFor(door: Door, input: object): Promise<PasscodeCreated> {
  return hotel.desk.change("passcodes.create", { roomIds: [door.roomId], person: "Guest", type: "air", ...input });
}

const present = ({ door }: Door, { plastic }: Card): Opening => door.lock.presentCard(cardAtDoor(plastic));
const type = ({ door }: Door, code: string): Opening => door.lock.enterCode(code);
const setFaults = ({ door }: Door, faults: Partial<LockFaults>): void => {
  door.lock.faults = { ...NO_LOCK_FAULTS, ...faults };
};
/** The lock carries out no commands, but still reports events. */
const deaf = { loseCommands: 1 };

const holds = ({ door }: Door, code: string): boolean => door.lock.memory.slots.some((slot) => slot.code === code);
const lockOf = async (door: Door) => (await hotel.locks()).find(({ id }) => id === door.lockId);
const goAway = async (door: Door, faults: Partial<LockFaults> = { offline: true }): Promise<void> => {
  setFaults(door, faults);
  await requireUntil("the lock is offline", REPORT_MS, async () => (await lockOf(door))?.online === false);
};
const isQuiet = (door: Door) =>
  requireUntil("no command is open", REPORT_MS, async () => {
    const lock = await lockOf(door);
    return lock?.waiting === 0 && lock.configuredAt !== null;
  });

const explain = (of: Question): Promise<KeyVerdict> => hotel.desk.read("locks.explain", of);

/** Waits until the console has stored the door's reports; from then on it must not claim that the key works. */
async function waitForReport({ door }: Door): Promise<void> {
  await requireUntil("the console has stored all events", REPORT_MS, async () => door.lock.memory.events.length === 0);
}

/** Waits until the console names the right cause for `of`, and returns its answer. */
async function answers(of: Question, ...allowed: [verdict: string, mend: string][]): Promise<KeyVerdict> {
  const first = await explain(of);
  expect(first.verdict, "the door's last answer was a refusal").not.toBe("works");
  let last = first;
  await requireUntil("the right cause is named", REPORT_MS, async () => {
    last = await explain(of);
    return allowed.some(([verdict, mend]) => last.verdict === verdict && last.mend === mend);
  }).catch(() => {});
  expect(allowed).toContainEqual([last.verdict, last.mend]);
  return last;
}

const refusedFor = (opening: Opening, reason: Opening["reason"]): void =>
  expect(opening).toEqual({ opened: false, reason });

describe("the cause at the key", () => {
  it("of another room", async () => {
    const { card, door: own } = await guest();
    const other = freshDoor();
    refusedFor(present(other, card), "other_door");
    await waitForReport(other);
    const { params } = await answers({ number: card.uid, roomId: other.roomId }, ["card_other_room", "none"]);
    expect(params).toMatchObject({ otherRoom: own.name });
    expect(present(own, card).opened).toBe(true);
    await waitForReport(own);
    expect(await explain({ number: card.uid }), "at its own door it opens").toMatchObject({ verdict: "works" });
  });

  it("a card of another hotel", async () => {
    const { door } = await guest();
    const plastic = new VirtualCard({ name: "", uid: random.hex(4), keyA: OTHER_KEY });
    refusedFor(door.door.lock.presentCard(cardAtDoor(plastic)), "unknown");
    await waitForReport(door);
    await answers({ number: plastic.uid, roomId: door.roomId }, ["card_unknown", "write_card"]);
    await answers({ roomId: door.roomId }, ["refused_unknown", "write_card"]);
  });

  it("our card, written over by another hotel", async () => {
    const { door, card } = await guest();
    const plastic = new VirtualCard({ name: "", uid: card.uid, keyA: OTHER_KEY });
    refusedFor(present(door, { ...card, plastic }), "unknown");
    await waitForReport(door);
    for (const of of questions({ card, door })) await answers(of, ["refused_unknown", "write_card"]);
  });

  it("a card taken off the reader too early, and one that was never confirmed", async () => {
    const { door, stayId } = await guest();
    const torn = await guestCard(stayId, { how: "torn" });
    expect(present(door, torn).opened).toBe(false);
    await waitForReport(door);
    await answers({ number: torn.uid, roomId: door.roomId }, ["card_not_written", "write_card"]);
  });

  it("a card whose record was damaged since", async () => {
    const { door, card } = await guest();
    const { plastic } = card;
    plastic.powerOff();
    const read = cardAtDoor(plastic);
    const broken = {
      uid: card.uid,
      read: (...at: Parameters<typeof read.read>) => read.read(...at)?.map((byte) => byte ^ 0x55) ?? null,
    };
    expect(door.door.lock.presentCard(broken).opened).toBe(false);
    await waitForReport(door);
    await answers({ number: card.uid }, ["refused_unknown", "write_card"], ["card_not_written", "write_card"]);
  });

  it("an older card after a newer one that switches it off", async () => {
    const { door, stayId, card } = await guest();
    const newer = await guestCard(stayId, { disableOldCards: true });
    expect(present(door, newer).opened).toBe(true);
    refusedFor(present(door, card), "superseded");
    await waitForReport(door);
    await answers({ number: card.uid }, ["card_superseded", "write_card"]);
    await answers({ roomId: door.roomId }, ["card_superseded", "write_card"]);
  });

  it("a lost card", async () => {
    const { door, card, stayId } = await guest();
    await guestCard(stayId);
    await hotel.desk.change("cards.revoke", { cardId: card.id, reason: "lost" });
    await isQuiet(door);
    refusedFor(present(door, card), "blocked");
    await waitForReport(door);
    for (const of of questions({ card, door })) await answers(of, ["card_taken_back", "write_card"]);
  });

  it("a key that is not valid yet", async () => {
    const door = freshDoor();
    const stayId = await checkIn(door);
    const { code } = await codeFor(door, { stayId, validFrom: iso(Date.now() + HOUR) });
    await isQuiet(door);
    refusedFor(type(door, code), "not_yet");
    await waitForReport(door);
    await answers({ roomId: door.roomId }, ["card_not_yet", "none"]);
  });

  it("a key of a guest who has left", async () => {
    const { door, stayId, card } = await guest();
    await hotel.desk.change("stays.checkOut", { stayId, confirmUnpaid: true });
    await isQuiet(door);
    expect(present(door, card).opened).toBe(false);
    await waitForReport(door);
    await answers({ number: card.uid }, ["stay_over", "check_in"]);
    await answers({ roomId: door.roomId }, ["room_empty", "check_in"]);
  });

  it("a key of the previous party in the next party's room", async () => {
    const { door, stayId, card } = await guest();
    await hotel.desk.change("stays.checkOut", { stayId, confirmUnpaid: true });
    const now = await guestCard(await checkIn(door));
    expect(present(door, now).opened).toBe(true);
    expect(present(door, card).opened).toBe(false);
    await waitForReport(door);
    await answers({ roomId: door.roomId }, ["stay_over", "write_card"]);
  });

  it("a management card at a room that isn't on its list", async () => {
    const { door: own } = await guest();
    const { door: other } = await guest();
    const input = { kind: "management", roomIds: [own.roomId], note: "Maid" };
    const card = await write("cards.prepareMaster", input, {});
    await isQuiet(own);
    expect(present(other, card).opened).toBe(false);
    await waitForReport(other);
    const { params } = await answers({ number: card.uid, roomId: other.roomId }, ["card_other_room", "none"]);
    expect(params).toMatchObject({ otherRoom: own.name });
    await answers({ roomId: other.roomId }, ["card_other_room", "none"]);
  });

  it("a code that has expired", async () => {
    const { door } = await guest();
    const { code } = await codeFor(door, { validTo: iso(Date.now() + 4_000) });
    await requireUntil("the lock has the code", REPORT_MS, async () => holds(door, code));
    await requireUntil("the code has expired", REPORT_MS, async () => {
      const { opened } = type(door, code);
      return !opened;
    });
    await waitForReport(door);
    await answers({ roomId: door.roomId }, ["card_expired", "none"], ["code_taken_back", "write_card"]);
  });

  it("a one-time code that was used", async () => {
    const door = freshDoor();
    const stayId = await checkIn(door);
    const { code } = await codeFor(door, { type: "one_time", stayId });
    expect(type(door, code).opened).toBe(true);
    refusedFor(type(door, code), "unknown");
    await waitForReport(door);
    await answers({ roomId: door.roomId }, ["code_used", "write_card"]);
  });

  it("a code that was revoked", async () => {
    const door = freshDoor();
    const stayId = await checkIn(door);
    const { code, passcodeId } = await codeFor(door, { stayId });
    await requireUntil("the lock has the code", REPORT_MS, async () => holds(door, code));
    await hotel.desk.change("passcodes.remove", { passcodeId });
    await requireUntil("the lock has removed the code", REPORT_MS, async () => !holds(door, code));
    refusedFor(type(door, code), "unknown");
    await waitForReport(door);
    await answers({ roomId: door.roomId }, ["code_taken_back", "write_card"]);
  });

  it("a code typed wrong once, and then too often", async () => {
    const { door } = await guest();
    refusedFor(type(door, NEVER_RIGHT), "unknown");
    await waitForReport(door);
    await answers({ roomId: door.roomId }, ["wrong_code", "open_door"]);
    for (let again = 0; again < 4; again += 1) type(door, NEVER_RIGHT);
    refusedFor(type(door, NEVER_RIGHT), "locked_out");
    await waitForReport(door);
    await answers({ roomId: door.roomId }, ["locked_out", "open_door"]);
  });
});

describe("the cause at the door", () => {
  it("an offline lock that never received a code and an over-the-air card", async () => {
    const { door, stayId } = await guest();
    await goAway(door);
    const { code } = await codeFor(door, { stayId });
    const uid = random.hex(7);
    await hotel.desk.change("cards.addOverTheAir", { uid, note: "", stayId });
    refusedFor(type(door, code), "unknown");
    refusedFor(door.door.lock.presentCard({ uid, read: () => null }), "unknown");
    for (const of of [{ roomId: door.roomId }, { number: uid }]) await answers(of, ["lock_offline", "retry_lock"]);
  });

  it("a lock that sends nothing", async () => {
    const door = freshDoor();
    const stayId = await checkIn(door);
    setFaults(door, deaf);
    const { code } = await codeFor(door, { stayId });
    refusedFor(type(door, code), "unknown");
    await waitForReport(door);
    await answers({ roomId: door.roomId }, ["never_confirmed", "retry_lock"]);
  });

  it("a lock that is full", async () => {
    const door = freshDoor();
    const stayId = await checkIn(door);
    setFaults(door, { full: true });
    const { code } = await codeFor(door, { stayId });
    await requireUntil(
      "the lock has answered",
      REPORT_MS,
      async () => (await explain({ roomId: door.roomId })).verdict === "credential_failed",
    );
    refusedFor(type(door, code), "unknown");
    await waitForReport(door);
    expect((await answers({ roomId: door.roomId }, ["credential_failed", "retry_lock"])).params).toMatchObject({
      error: "full",
    });
  });

  it("a door that is bolted from the inside", async () => {
    const { door, card } = await guest();
    door.door.lock.throwBolt();
    refusedFor(present(door, card), "deadbolt");
    await waitForReport(door);
    for (const of of questions({ card, door })) await answers(of, ["deadbolt", "none"]);
    door.door.lock.openInside();
    await waitForReport(door);
    expect(await explain({ number: card.uid })).toMatchObject({ verdict: "works" });
  });

  it("a lock that is jammed", async () => {
    const { door, card } = await guest();
    setFaults(door, { jam: true });
    refusedFor(present(door, card), "jammed");
    await waitForReport(door);
    for (const of of questions({ card, door })) await answers(of, ["try_again", "open_door"]);
  });

  it("a lock with a flat battery", async () => {
    const { door, card } = await guest();
    setFaults(door, { lowBattery: true });
    await requireUntil(
      "the console shows the low battery",
      REPORT_MS,
      async () => ((await lockOf(door))?.power ?? 100) < 20,
    );
    await goAway(door, { flatBattery: true });
    refusedFor(present(door, card), "no_power");
    for (const of of questions({ card, door })) await answers(of, ["battery_run_out", "replace_battery"]);
  });

  it("a lock whose battery went flat without a report", async () => {
    const { door, card } = await guest();
    await goAway(door, { flatBattery: true });
    refusedFor(present(door, card), "no_power");
    for (const of of questions({ card, door })) await answers(of, ["should_work", "write_card"]);
  });

  it.each([
    ["ten days ahead", TEN_DAYS, "expired"],
    ["five days behind", -TEN_DAYS / 2, "not_yet"],
  ] as const)("a lock with a clock %s", async (_how, driftSeconds, reason) => {
    const { door, card } = await guest();
    setFaults(door, { ...deaf, driftSeconds });
    refusedFor(present(door, card), reason);
    await waitForReport(door);
    for (const of of questions({ card, door })) await answers(of, ["clock_wrong", "retry_lock"]);
    setFaults(door, { driftSeconds });
    await requireUntil(
      "the clock is set",
      60_000,
      async () => door.door.lock.faults.driftSeconds === 0 && (await lockOf(door))?.waiting === 0,
    );
    expect((await explain({ number: card.uid })).verdict, "it has not opened since").toBe("try_again");
    expect(present(door, card).opened).toBe(true);
    await waitForReport(door);
    expect(await explain({ number: card.uid })).toMatchObject({ verdict: "works" });
  });

  it("a lock that lost its memory and is offline", async () => {
    const { door, card } = await guest();
    await goAway(door);
    door.door.lock.loseMemory();
    refusedFor(present(door, card), "unknown");
    for (const of of questions({ card, door })) {
      expect((await answers(of, ["should_work", "write_card"])).offlineSince).not.toBeNull();
    }
  });

  it("a lock that lost its memory, until its keys are restored", async () => {
    const { door, card, stayId } = await guest();
    const { code } = await codeFor(door, { stayId });
    await isQuiet(door);
    setFaults(door, deaf);
    door.door.lock.loseMemory();
    refusedFor(present(door, card), "unknown");
    refusedFor(type(door, code), "unknown");
    await waitForReport(door);
    for (const of of questions({ card, door })) await answers(of, ["lock_reset", "retry_lock"]);
    setFaults(door, {});
    await hotel.desk.change("locks.retry", { lockId: door.lockId });
    await isQuiet(door);
    await requireUntil("the lock has the code again", REPORT_MS, async () => holds(door, code));
    await answers({ number: card.uid }, ["try_again", "open_door"]);
    expect(present(door, card).opened).toBe(true);
    expect(type(door, code).opened).toBe(true);
    await waitForReport(door);
    for (const of of questions({ card, door })) expect(await explain(of)).toMatchObject({ verdict: "works" });
  });

  it("a lock after a factory reset, until it is connected again", async () => {
    const { door, card } = await guest();
    await door.door.reset();
    refusedFor(present(door, card), "unknown");
    await requireUntil("the lock is offline", REPORT_MS, async () => (await lockOf(door))?.online === false);
    await answers({ number: card.uid }, ["should_work", "write_card"]);
    const access = await hotel.desk.change<LockAccess>("locks.connect", { lockId: door.lockId });
    for (const of of questions({ card, door })) {
      expect((await answers(of, ["lock_reset", "set_up_lock"])).offlineSince).not.toBeNull();
    }
    await door.door.connect(access);
    await isQuiet(door);
    await waitForReport(door);
    expect(present(door, card).opened).toBe(true);
    await waitForReport(door);
    expect(await explain({ number: card.uid })).toMatchObject({ verdict: "works" });
  });
});

it("a stay renewed while its lock was jammed", async () => {
  const door = freshDoor();
  const endsAt = Date.now() + 6_000;
  const stayId = await checkIn(door, endsAt);
  const { code } = await codeFor(door, { stayId });
  await requireUntil("the lock has the code", REPORT_MS, async () => holds(door, code));
  setFaults(door, { jam: true });
  await hotel.desk.change("stays.renew", { stayId, endsAt: iso(endsAt + 24 * HOUR) });
  await requireUntil(
    "the code has expired by the lock's clock",
    REPORT_MS,
    async () => type(door, code).reason === "expired",
  );
  await waitForReport(door);
  await answers({ roomId: door.roomId }, ["never_confirmed", "retry_lock"], ["credential_failed", "retry_lock"]);
});

/** These tests run last, so that the others fill the minute that has to pass. */
describe("a minute later", () => {
  let ended: Awaited<ReturnType<typeof guest>>;
  let renewed: Awaited<ReturnType<typeof guest>>;
  beforeAll(async () => {
    // The console works out the time of the late refusal from the lock's status, which may arrive seconds late when the
    // server is busy. So the card is written long after the refusal.
    await guestCard(late.stayId, { uid: late.card.uid });
    const endsAt = Date.now() + 5_000;
    [ended, renewed] = [await guest(endsAt), await guest(endsAt)];
    await hotel.desk.change("stays.renew", { stayId: renewed.stayId, endsAt: iso(endsAt + 24 * HOUR) });
    await requireUntil("the minute has passed", 2 * MINUTE, async () => {
      const isLate = Date.now() > refusedAt + MINUTE + 5_000;
      return isLate && [ended, renewed].every(({ door, card }) => !present(door, card).opened);
    });
  }, 3 * MINUTE);

  it("an expired card of a stay that was not renewed", async () => {
    await waitForReport(ended.door);
    await answers({ number: ended.card.uid }, ["card_expired", "renew"]);
    await answers({ roomId: ended.door.roomId }, ["stay_over", "renew"]);
  });

  it("a card that ends before the stay, which was renewed", async () => {
    await waitForReport(renewed.door);
    for (const of of questions(renewed)) await answers(of, ["card_too_short", "write_card"]);
  });

  it("a late report of a lock with a wrong clock is not attributed to a card written since", async () => {
    setFaults(late.door, { driftSeconds: -TEN_DAYS });
    await waitForReport(late.door);
    await requireUntil("the clock is set", MINUTE, async () => late.door.door.lock.faults.driftSeconds === 0);
    await isQuiet(late.door);
    for (const of of questions(late)) expect(await explain(of)).toMatchObject({ verdict: "works" });
  });
});
