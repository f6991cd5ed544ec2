import { ALL_LOCKS } from "@innkey/shared/cards/record";
import { lockEvent, statusMessage } from "@innkey/shared/locks/protocol";
import { describe, expect, it } from "vitest";
import { VirtualCard } from "../virtual-card.ts";
import { cardAtDoor } from "./held-card.ts";
import {
  CODES,
  credential,
  guestCard,
  HOUR,
  instant,
  NOON,
  SETTINGS,
  tell,
  testLock,
  UID,
  writtenCard,
} from "./lock-under-test.ts";
import { VirtualLock } from "./virtual-lock.ts";

const OPENED = { opened: true, reason: null };
const shut = (reason: string): object => ({ opened: false, reason });
const master = { lockNumber: ALL_LOCKS, sequence: 2 };

describe("a guest's card", () => {
  it("opens its door, and the console hears of it", () => {
    const { lock } = testLock();
    expect(lock.presentCard(guestCard())).toEqual(OPENED);
    expect(lock.memory.events.at(-1)).toEqual({
      seq: 1,
      at: instant(NOON),
      style: "card",
      success: true,
      credential: { kind: "card", uid: UID, sequence: 7, card: "guest" },
      power: 100,
    });
  });

  it("of the newest cipher opens too", () => {
    const { lock } = testLock();
    const card = new VirtualCard({
      name: "",
      uid: UID,
      keyA: "FAE126A9C4F1",
      blocks: { 4: "BF50DCE0301004947752827A68080261" },
    });
    expect(lock.presentCard(cardAtDoor(card))).toEqual(OPENED);
  });

  it.each([
    ["other_door", { lockNumber: 78 }],
    ["other_hotel", { siteCode: 1 }],
    ["superseded", { sequence: 4 }],
    ["not_yet", { validFrom: instant(NOON + HOUR / 2) }],
    ["expired", { validTo: instant(NOON) }],
  ])("does not open: %s", (reason, record) => {
    const { lock } = testLock();
    expect(lock.presentCard(guestCard(record))).toEqual(shut(reason));
    expect(lock.memory.events.at(-1)).toMatchObject({ success: false, reason });
  });

  it("does not open when its record is damaged, or is none of this house", () => {
    const { lock } = testLock();
    expect(lock.presentCard(cardAtDoor(writtenCard({}, 1)))).toEqual(shut("damaged"));
    expect(lock.presentCard(cardAtDoor(new VirtualCard({ name: "", uid: UID })))).toEqual(shut("unknown"));
    expect(lock.presentCard(cardAtDoor(new VirtualCard({ name: "", uid: UID, model: "ultralight" })))).toEqual(
      shut("unknown"),
    );
  });

  it("opens nothing before the lock is set up", () => {
    expect(new VirtualLock({ now: () => NOON }).presentCard(guestCard())).toEqual(shut("unknown"));
  });

  it("of a later guest ends the earlier ones; one that could not open yet ends nothing", () => {
    const { lock } = testLock();
    lock.presentCard(guestCard({ sequence: 9, validFrom: instant(NOON + HOUR / 2) }));
    expect(lock.presentCard(guestCard())).toEqual(OPENED);
    expect(lock.presentCard(guestCard({ sequence: 8 }))).toEqual(OPENED);
    expect(lock.presentCard(guestCard())).toEqual(shut("superseded"));
    expect(lock.presentCard(guestCard({ sequence: 8 }))).toEqual(OPENED);
  });

  it("is refused by its number until it is allowed again, or the block runs out", () => {
    const { lock, clock } = testLock();
    tell(lock, "block_card", { uid: UID, until: null });
    expect(lock.presentCard(guestCard())).toEqual(shut("blocked"));
    tell(lock, "allow_card", { uid: UID });
    expect(lock.presentCard(guestCard())).toEqual(OPENED);
    tell(lock, "block_card", { uid: UID, until: instant(NOON + 1000) });
    expect(lock.presentCard(guestCard())).toEqual(shut("blocked"));
    clock.now += 1000;
    expect(lock.presentCard(guestCard())).toEqual(OPENED);
  });

  it("is refused below a floor that the console raised", () => {
    const { lock } = testLock();
    tell(lock, "raise_floor", { kind: "guest", floor: 8 });
    tell(lock, "raise_floor", { kind: "guest", floor: 6 });
    expect(lock.presentCard(guestCard())).toEqual(shut("superseded"));
  });

  it("waits before a bolted door, where the universal card does not", () => {
    const { lock } = testLock();
    lock.throwBolt();
    expect(lock.presentCard(guestCard())).toEqual(shut("deadbolt"));
    expect(tell(lock, "unlock", {})).toMatchObject({ ok: false, error: "refused" });
    expect(lock.presentCard(guestCard({ ...master, kind: "universal" }))).toEqual(OPENED);
    lock.openInside();
    expect(lock.presentCard(guestCard())).toEqual(OPENED);
  });
});

describe("cards of the house", () => {
  it("a management card also has to be on the lock's list", () => {
    const { lock, clock } = testLock();
    const card = guestCard({ ...master, kind: "management", validTo: null });
    expect(lock.presentCard(card)).toEqual(shut("not_listed"));
    tell(lock, "set_credential", credential(3, { kind: "card", uid: UID, recordNeeded: true }));
    expect(lock.presentCard(card)).toEqual(OPENED);
    expect(lock.presentCard({ uid: UID, read: () => null })).toEqual(shut("unknown"));
    clock.now += HOUR;
    expect(lock.presentCard(card)).toEqual(shut("expired"));
    tell(lock, "remove_credential", { slot: 3 });
    expect(lock.presentCard(card)).toEqual(shut("not_listed"));
  });

  it("a universal card has a floor of its own", () => {
    const { lock } = testLock();
    const card = guestCard({ ...master, kind: "universal" });
    expect(lock.presentCard(card)).toEqual(OPENED);
    expect(lock.memory.floors).toEqual({ guest: 5, master: 2 });
    expect(lock.presentCard(guestCard({ ...master, kind: "universal", sequence: 3 }))).toEqual(OPENED);
    expect(lock.presentCard(card)).toEqual(shut("superseded"));
  });

  it("an over-the-air card opens by its number alone, in its time", () => {
    const { lock, clock } = testLock();
    const card = { uid: "04A1B2C3D4E580", read: () => null };
    tell(lock, "set_credential", credential(4, { kind: "card", uid: card.uid }));
    expect(lock.presentCard(card)).toEqual(OPENED);
    expect(lock.memory.events.at(-1)?.credential).toEqual({ kind: "slot", slot: 4 });
    clock.now += HOUR;
    expect(lock.presentCard(card)).toEqual(shut("expired"));
  });
});

describe("codes", () => {
  it("open in their period", () => {
    const { lock, clock } = testLock();
    tell(lock, "set_credential", credential(1, { kind: "passcode", code: "402917" }));
    expect(lock.enterCode("402917")).toEqual(OPENED);
    expect(lock.memory.events.at(-1)).toMatchObject({ style: "passcode", credential: { kind: "slot", slot: 1 } });
    clock.now -= 2 * HOUR;
    expect(lock.enterCode("402917")).toEqual(shut("not_yet"));
    clock.now += 4 * HOUR;
    expect(lock.enterCode("402917")).toEqual(shut("expired"));
    tell(lock, "set_credential", credential(1, { kind: "passcode", code: "402917", validTo: null }));
    expect(lock.enterCode("402917")).toEqual(OPENED);
  });

  it("five wrong ones close the keypad for a minute", () => {
    const { lock, clock } = testLock();
    tell(lock, "set_credential", credential(1, { kind: "passcode", code: "402917" }));
    for (let n = 0; n < 5; n += 1) expect(lock.enterCode("000000")).toEqual(shut("unknown"));
    expect(lock.memory.events.map(({ alarm }) => alarm)).toEqual([...Array(4), "wrong_codes"]);
    expect(lock.enterCode("402917")).toEqual(shut("locked_out"));
    expect(lock.presentCard(guestCard())).toEqual(OPENED);
    clock.now += 60_000;
    expect(lock.enterCode("402917")).toEqual(OPENED);
  });

  it("one-time ones open once, also out of order, and end those before them", () => {
    const { lock } = testLock();
    expect(lock.enterCode(CODES[1])).toEqual(OPENED);
    expect(lock.memory.events.at(-1)?.credential).toEqual({ kind: "otp", counter: 1 });
    expect(lock.status.otpFloor).toBe(2);
    expect(lock.enterCode(CODES[1])).toEqual(shut("unknown"));
    expect(lock.enterCode(CODES[0])).toEqual(shut("unknown"));
    expect(lock.enterCode(CODES[3])).toEqual(OPENED);
  });

  it("one-time ones can be taken back, each alone", () => {
    const { lock } = testLock();
    tell(lock, "skip_code", { counter: 1 });
    expect(lock.enterCode(CODES[1])).toEqual(shut("unknown"));
    expect(lock.enterCode(CODES[0])).toEqual(OPENED);
    expect(lock.memory.codes).toEqual({ next: 2, skipped: [] });
  });

  it("one-time ones are looked for 20 ahead, and begin anew with a new secret", () => {
    const { lock } = testLock();
    lock.memory.codes.next = 100;
    expect(lock.enterCode(CODES[0])).toEqual(shut("unknown"));

    tell(lock, "configure", { ...SETTINGS, secret: `00${SETTINGS.secret.slice(2)}` });
    expect(lock.status.otpFloor).toBe(0);
  });
});

it("a face opens in its period", () => {
  const { lock, clock } = testLock();
  tell(lock, "set_credential", credential(9, { kind: "face", faceId: 12, image: "/9j/" }));
  expect(lock.memory.slots[0]).not.toHaveProperty("image");
  expect(lock.showFace(12)).toEqual(OPENED);
  expect(lock.showFace(13)).toEqual(shut("unknown"));
  clock.now += HOUR;
  expect(lock.showFace(12)).toEqual(shut("expired"));
});

it("the mechanical key and the handle inside always open", () => {
  const { lock } = testLock();
  expect([lock.turnKey(), lock.openInside()]).toEqual([OPENED, OPENED]);
  expect(lock.memory.events.map(({ style }) => style)).toEqual(["key", "inside"]);
});

describe("its memory", () => {
  it("keeps 500 events that nobody took, each as the protocol has it", () => {
    const { lock } = testLock();
    for (let n = 0; n < 505; n += 1) lock.openInside();
    lock.enterCode("000000");
    lock.tamper();
    expect(lock.memory.events).toHaveLength(500);
    expect(lock.memory.events[0]?.seq).toBe(8);
    for (const event of lock.memory.events) lockEvent.parse(event);
  });

  it("forgets what was acknowledged, and never uses a number twice", () => {
    const { lock } = testLock();
    for (let n = 0; n < 3; n += 1) lock.openInside();
    lock.acknowledged(2);
    expect(lock.memory.events.map(({ seq }) => seq)).toEqual([3]);
    lock.acknowledged(10);
    lock.openInside();
    expect(lock.memory.events.map(({ seq }) => seq)).toEqual([11]);
  });

  it("has another name once it was lost, and numbers that start over", () => {
    const { lock } = testLock();
    lock.openInside();
    const { log } = lock.status;
    lock.loseMemory();
    lock.openInside();
    expect(lock.memory.events.map(({ seq }) => seq)).toEqual([1]);
    expect(statusMessage.parse(lock.status).log).not.toBe(log);
  });

  it("lost, goes on with its one-time codes where configure says, and never goes back", () => {
    const { lock } = testLock();
    lock.loseMemory();
    tell(lock, "configure", { ...SETTINGS, otpNext: 2, otpSkipped: [3] });
    expect([lock.enterCode(CODES[1]), lock.enterCode(CODES[3])]).toEqual([shut("unknown"), shut("unknown")]);
    expect(lock.enterCode(CODES[2])).toEqual(OPENED);
    expect(lock.status.otpFloor).toBe(4);
    tell(lock, "configure", { ...SETTINGS, otpNext: 2 });
    expect(lock.status.otpFloor).toBe(4);
  });

  it("outlives a power cut", () => {
    const { lock } = testLock();
    tell(lock, "set_credential", credential(1, { kind: "passcode", code: "402917" }));
    lock.presentCard(guestCard({ sequence: 9 }));
    const again = new VirtualLock({ memory: JSON.parse(JSON.stringify(lock.memory)), now: () => NOON });
    expect(again.memory).toEqual(lock.memory);
    expect(again.enterCode("402917")).toEqual(OPENED);
    expect(again.presentCard(guestCard())).toEqual(shut("superseded"));
  });

  it("says once that the battery is low", () => {
    const { lock } = testLock();
    lock.faults = { ...lock.faults, lowBattery: true };
    expect(lock.status.power).toBe(8);
    lock.openInside();
    lock.openInside();
    expect(lock.memory.events.map(({ alarm }) => alarm)).toEqual(["battery_low", undefined]);
    lock.faults = { ...lock.faults, lowBattery: false };
    expect(lock.status.power).toBe(100);
  });
});
