import { readFileSync } from "node:fs";
import { join } from "node:path";
import { lockEvent, statusMessage } from "@innkey/shared/locks/protocol";
import { describe, expect, it } from "vitest";
import { cardAtDoor, VirtualCard } from "../virtual-card.ts";
import {
  ALL_DOORS,
  aesCard,
  CODES,
  command,
  credential,
  guestCard,
  HOUR,
  IN_ZONE,
  instant,
  LOCK_KEY,
  NOON,
  PAIRING_SECRET,
  passCard,
  SETTINGS,
  sealedBy,
  sendCommand,
  testLock,
  UID,
  writtenCard,
  ZONE_KEY,
} from "./lock-under-test.ts";
import { VirtualLock } from "./virtual-lock.ts";

const OPENED = { opened: true, reason: null };
const shut = (reason: string): object => ({ opened: false, reason });
const master = { opens: { zone: ALL_DOORS }, sequence: 0 };

describe("a guest's card", () => {
  it("opens its door and reports the opening to the console", () => {
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

  it("of the newest cipher opens its door", () => {
    const { lock } = testLock();
    const card = aesCard({ 1: { key: LOCK_KEY, record: {} } });
    expect(lock.presentCard(cardAtDoor(card))).toEqual(OPENED);
  });

  it.each([
    ["other_door", { opens: { lock: 78 } }],
    ["other_hotel", { siteCode: 1 }],
    ["superseded", { sequence: 4 }],
    ["not_yet", { validFrom: instant(NOON + HOUR / 2) }],
    ["expired", { validTo: instant(NOON) }],
  ])("does not open: %s", (reason, record) => {
    const { lock } = testLock();
    expect(lock.presentCard(guestCard(record))).toEqual(shut(reason));
    expect(lock.memory.events.at(-1)).toMatchObject({ success: false, reason });
  });

  it("does not open if its record is damaged or from another hotel", () => {
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

  it("of a later guest ends the earlier ones once it is valid, not before", () => {
    const { lock } = testLock();
    lock.presentCard(guestCard({ sequence: 9, validFrom: instant(NOON + HOUR / 2) }));
    expect(lock.presentCard(guestCard())).toEqual(OPENED);
    expect(lock.presentCard(guestCard({ sequence: 8 }))).toEqual(OPENED);
    expect(lock.presentCard(guestCard())).toEqual(shut("superseded"));
    expect(lock.presentCard(guestCard({ sequence: 8 }))).toEqual(OPENED);
  });

  it("that was sealed for a blackout opens without a network, ends the earlier ones, and ends with the room's next card", () => {
    const { lock, clock } = testLock();
    const months = { validTo: instant(NOON + 183 * 24 * HOUR) };
    const spare = guestCard({ sequence: 8, ...months });
    expect(lock.presentCard(guestCard()), "in the drawer it ends nothing").toEqual(OPENED);
    clock.now += HOUR / 2;
    expect(lock.presentCard(spare)).toEqual(OPENED);
    expect(lock.presentCard(guestCard())).toEqual(shut("superseded"));
    expect(lock.presentCard(guestCard({ sequence: 8, opens: { lock: 78 }, ...months }))).toEqual(shut("other_door"));
    expect(lock.presentCard(guestCard({ sequence: 9, ...months }))).toEqual(OPENED);
    expect(lock.presentCard(spare)).toEqual(shut("superseded"));
  });

  it("is refused by its number, except for the one record that is allowed again", () => {
    const { lock, clock } = testLock();
    sendCommand(lock, "block_card", { uid: UID, until: null });
    expect(lock.presentCard(guestCard())).toEqual(shut("blocked"));
    const letIn = { sequence: 7, validFrom: instant(NOON - HOUR), validTo: instant(NOON + HOUR) };
    sendCommand(lock, "allow_card", { uid: UID, until: null, ...letIn });
    expect(lock.presentCard(guestCard())).toEqual(OPENED);
    expect(lock.presentCard({ uid: UID, read: () => null })).toEqual(shut("blocked"));
    for (const other of [{ sequence: 8 }, { validTo: instant(NOON + 2 * HOUR) }, { validFrom: instant(NOON) }])
      expect(lock.presentCard(guestCard(other)), "another record of the number").toEqual(shut("blocked"));
    sendCommand(lock, "block_card", { uid: UID, until: instant(NOON + 1000) });
    expect(lock.presentCard(guestCard())).toEqual(shut("blocked"));
    clock.now += 1000;
    expect(lock.presentCard(guestCard()), "a shorter block does not end a longer one").toEqual(shut("blocked"));
  });

  it("is refused by its number until the longest block ends", () => {
    const { lock, clock } = testLock();
    sendCommand(lock, "block_card", { uid: UID, until: instant(NOON + 2000) });
    sendCommand(lock, "block_card", { uid: UID, until: instant(NOON + 1000) });
    clock.now += 1000;
    expect(lock.presentCard(guestCard())).toEqual(shut("blocked"));
    clock.now += 1000;
    expect(lock.presentCard(guestCard())).toEqual(OPENED);
  });

  it("is refused below a minimum sequence that the console raised", () => {
    const { lock } = testLock();
    sendCommand(lock, "raise_floor", { kind: "guest", floor: 8 });
    sendCommand(lock, "raise_floor", { kind: "guest", floor: 6 });
    expect(lock.presentCard(guestCard())).toEqual(shut("superseded"));
  });

  it("does not open a bolted door, while a universal card does", () => {
    const { lock } = testLock();
    sendCommand(lock, "set_credential", credential(3, { kind: "card", uid: UID, recordNeeded: true }));
    lock.throwBolt();
    expect(lock.presentCard(guestCard())).toEqual(shut("deadbolt"));
    expect(sendCommand(lock, "unlock", {})).toMatchObject({ ok: false, error: "refused" });
    expect(lock.presentCard(guestCard({ ...master, kind: "universal" }))).toEqual(OPENED);
    lock.openInside();
    expect(lock.presentCard(guestCard())).toEqual(OPENED);
  });
});

describe("records of the newest cipher", () => {
  const at = (records: Parameters<typeof aesCard>[0]) => cardAtDoor(aesCard(records));

  it("are read from the sectors in use: the room's from the first, a zone's from any other", () => {
    const { lock } = testLock();
    expect(lock.presentCard(at({ 4: { key: ZONE_KEY, record: IN_ZONE } }))).toEqual(OPENED);
    expect(lock.presentCard(at({ 6: { key: ZONE_KEY, record: IN_ZONE } }))).toEqual(shut("unknown"));
    expect(lock.presentCard(at({ 1: { key: ZONE_KEY, record: IN_ZONE } }))).toEqual(shut("other_door"));
    expect(lock.presentCard(at({ 2: { key: LOCK_KEY, record: {} } }))).toEqual(shut("other_door"));
  });

  it("are valid only for what their key is for, and count as guests' cards", () => {
    const { lock } = testLock();
    sendCommand(lock, "set_credential", credential(3, { kind: "card", uid: UID, recordNeeded: true }));
    const forged: Parameters<typeof aesCard>[0][] = [
      { 1: { key: LOCK_KEY, record: { opens: { lock: 78 } } } },
      { 1: { key: LOCK_KEY, record: IN_ZONE } },
      { 1: { key: LOCK_KEY, record: { kind: "universal" as const } } },
      { 2: { key: ZONE_KEY, record: { opens: { zone: 6 } } } },
      { 2: { key: ZONE_KEY, record: { opens: { zone: ALL_DOORS } } } },
      { 2: { key: ZONE_KEY, record: { ...IN_ZONE, kind: "universal" as const } } },
      { 2: { key: ZONE_KEY, record: {} } },
    ];
    for (const records of forged) expect(lock.presentCard(at(records))).toEqual(shut("other_door"));
  });

  it("are tried one after the other until one opens", () => {
    const { lock } = testLock();
    const over = { validTo: instant(NOON) };
    const card = at({ 1: { key: LOCK_KEY, record: over }, 2: { key: ZONE_KEY, record: IN_ZONE } });
    expect(lock.presentCard(card)).toEqual(OPENED);
    expect(lock.memory.floor, "a zone's record says nothing about the room's").toBe(5);
    expect(lock.presentCard(at({ 1: { key: LOCK_KEY, record: over } }))).toEqual(shut("expired"));
  });
});

describe("a pass", () => {
  const PASS = "8C2F41D7A05BE3961E7042B8D9F36A5C";
  const { card, print } = passCard(PASS);
  const list = (what: object, slot = 3) => credential(slot, { kind: "card", uid: UID, recordNeeded: true, ...what });
  const pass = { pass: print, card: "universal" as const };

  it("opens a lock that has its fingerprint, within the stored period, and passes a bolt on a universal card", () => {
    const { lock, clock } = testLock();
    expect(lock.presentCard(cardAtDoor(card))).toEqual(shut("other_door"));
    sendCommand(lock, "set_credential", list(pass));
    lock.throwBolt();
    expect(lock.presentCard(cardAtDoor(card))).toEqual(OPENED);
    expect(lock.memory.events.at(-1)?.credential).toEqual({ kind: "card", uid: UID, card: "universal" });
    sendCommand(lock, "set_credential", list({ ...pass, card: "management" }));
    expect(lock.presentCard(cardAtDoor(card))).toEqual(shut("deadbolt"));
    clock.now += HOUR;
    expect(lock.presentCard(cardAtDoor(card))).toEqual(shut("expired"));
    sendCommand(lock, "remove_credential", { slot: 3 });
    expect(lock.presentCard(cardAtDoor(card))).toEqual(shut("other_door"));
  });

  it("opens a bolted door as an emergency card, and not as a card to show a room", () => {
    const { lock } = testLock();
    lock.throwBolt();
    sendCommand(lock, "set_credential", list({ pass: print, card: "one_shot" }));
    expect(lock.presentCard(cardAtDoor(card))).toEqual(shut("deadbolt"));
    sendCommand(lock, "set_credential", list({ pass: print, card: "emergency" }));
    expect(lock.presentCard(cardAtDoor(card))).toEqual(OPENED);
    expect(lock.memory.events.at(-1)?.credential).toEqual({ kind: "card", uid: UID, card: "emergency" });
  });

  it("opens one time only if it opens once, also when the lock is sent the same key again", () => {
    const { lock } = testLock();
    const once = { pass: print, card: "one_shot" as const, once: true as const };
    sendCommand(lock, "set_credential", list(once));
    lock.throwBolt();
    expect(lock.presentCard(cardAtDoor(card)), "a refusal uses nothing up").toEqual(shut("deadbolt"));
    lock.openInside();
    expect(lock.presentCard(cardAtDoor(card))).toEqual(OPENED);
    expect(lock.presentCard(cardAtDoor(card))).toEqual(shut("used"));
    sendCommand(lock, "set_credential", list(once));
    expect(lock.presentCard(cardAtDoor(card))).toEqual(shut("used"));
    sendCommand(lock, "set_credential", list(once, 4));
    expect(lock.presentCard(cardAtDoor(card)), "the next issue").toEqual(OPENED);
  });

  describe("as a block-out card", () => {
    const hold = (lock: VirtualLock) => lock.presentCard(cardAtDoor(card));
    const code = credential(5, { kind: "passcode", code: "246813" });
    const blockable = () => {
      const { lock } = testLock();
      sendCommand(lock, "set_credential", list({ pass: print, card: "block_out" }));
      sendCommand(lock, "set_credential", code);
      return lock;
    };

    it("keeps every guest's key and the console out until it is held there again, and opens nothing", () => {
      const lock = blockable();
      expect(hold(lock)).toEqual(shut("block_out_set"));
      expect(lock.enterCode("246813")).toEqual(shut("blocked_out"));
      expect(lock.enterCode(CODES[0])).toEqual(shut("blocked_out"));
      expect(sendCommand(lock, "unlock", {})).toMatchObject({ ok: false, error: "refused" });
      expect(hold(lock)).toEqual(shut("block_out_lifted"));
      expect(lock.enterCode("246813")).toEqual(OPENED);
      expect(lock.enterCode(CODES[0]), "a refused one-time code is not used up").toEqual(OPENED);
    });

    it("lets cards of the house in, and no card to show a room", () => {
      const lock = blockable();
      hold(lock);
      for (const kind of ["management", "universal", "emergency"] as const) {
        sendCommand(lock, "set_credential", list({ pass: print, card: kind }));
        expect(hold(lock)).toEqual(OPENED);
      }
      sendCommand(lock, "set_credential", list({ pass: print, card: "one_shot" }));
      expect(hold(lock)).toEqual(shut("blocked_out"));
      sendCommand(lock, "remove_credential", { slot: 3 });
      expect(lock.presentCard(guestCard())).toEqual(shut("blocked_out"));
    });

    it("is lifted by the console, which the lock reports; the end of its memory ends it too", () => {
      const lock = blockable();
      hold(lock);
      expect(sendCommand(lock, "lift_block", {})).toMatchObject({ ok: true });
      expect(lock.memory.events.at(-1)).toMatchObject({ style: "remote", success: false, reason: "block_out_lifted" });
      expect(sendCommand(lock, "lift_block", {})).toMatchObject({ ok: true });
      expect(lock.memory.events.filter(({ reason }) => reason === "block_out_lifted")).toHaveLength(1);
      expect(lock.enterCode("246813")).toEqual(OPENED);
      hold(lock);
      lock.loseMemory();
      expect(lock.memory.blockedOut).toBe(false);
    });
  });

  it("does not open if it is of another issue, and neither fingerprint, number nor record alone opens", () => {
    const { lock } = testLock();
    sendCommand(lock, "set_credential", list(pass));
    for (const other of [`00${PASS.slice(2)}`, print.slice(0, 32), print.slice(32)])
      expect(lock.presentCard(cardAtDoor(passCard(other).card))).toEqual(shut("other_door"));
    expect(lock.presentCard({ uid: UID, read: () => null })).toEqual(shut("unknown"));
    expect(lock.presentCard(guestCard({ ...master, kind: "universal" }))).toEqual(shut("not_listed"));
  });

  it("opens although the records of its number are refused, and they stay refused", () => {
    const { lock } = testLock();
    sendCommand(lock, "block_card", { uid: UID, until: null });
    sendCommand(lock, "set_credential", list(pass));
    expect(lock.presentCard(cardAtDoor(card))).toEqual(OPENED);
    expect(lock.presentCard(guestCard())).toEqual(shut("blocked"));
  });

  it("opens only at its days and hours, by the clock on the wall", () => {
    const { lock, clock } = testLock();
    const hours = [{ days: [7], from: "13:00", to: "14:00" }];
    sendCommand(lock, "set_credential", list({ ...pass, hours }));
    expect(lock.presentCard(cardAtDoor(card)), "13:00 on Sunday").toEqual(OPENED);
    expect(sendCommand(lock, "read_back", {}).held).toMatchObject([{ slot: 3, hours }]);
    sendCommand(lock, "set_credential", list({ ...pass, hours: [{ days: [7], from: "14:00", to: "15:00" }] }));
    expect(lock.presentCard(cardAtDoor(card))).toEqual(shut("outside_hours"));
    clock.now -= 24 * HOUR;
    expect(lock.presentCard(cardAtDoor(card)), "the period comes first").toEqual(shut("not_yet"));
  });

  it("is accepted only with all of its fields", () => {
    const { lock } = testLock();
    for (const args of [list({ pass: print }), list({ ...pass, recordNeeded: false })])
      expect(sendCommand(lock, "set_credential", args)).toMatchObject({ ok: false, error: "invalid" });
  });
});

describe("a code with days and hours", () => {
  it("opens at these times only", () => {
    const { lock, clock } = testLock();
    const hours = [{ days: [6, 7], from: "13:00", to: "13:30" }];
    sendCommand(lock, "set_credential", {
      ...credential(4, { kind: "passcode", code: "246813", hours }),
      validTo: null,
    });
    expect(lock.enterCode("246813")).toEqual(OPENED);
    clock.now += HOUR;
    expect(lock.enterCode("246813")).toEqual(shut("outside_hours"));
  });
});

describe("its keys", () => {
  const configure = (secret: string, count?: number, id?: string) => {
    const configure = command("configure", { ...SETTINGS, guestFloor: 50 });
    return sealedBy(secret, id ? { ...configure, id } : configure, count);
  };
  const REFUSED = { ok: false, error: "refused" };

  it("arrive sealed with the pairing secret for one command, under a rising counter", () => {
    const { lock } = testLock();
    const { counter } = lock.memory.pairing ?? { counter: 0 };
    expect(lock.do(command("configure", SETTINGS)), "in clear").toMatchObject({ ok: false, error: "invalid" });
    expect(lock.do(configure(`FF${PAIRING_SECRET.slice(2)}`))).toMatchObject(REFUSED);
    expect(lock.do(configure(PAIRING_SECRET, counter)), "again").toMatchObject(REFUSED);
    const other = configure(PAIRING_SECRET, counter + 1);
    expect(lock.do({ ...other, id: command("unlock", {}).id }), "as another command").toMatchObject(REFUSED);
    expect(lock.do({ ...other, args: { ...other.args, counter: counter + 2 } })).toMatchObject(REFUSED);
    expect(lock.memory.floor).toBe(5);
    expect(lock.do(other)).toMatchObject({ ok: true });
    expect(lock.memory.floor).toBe(50);
  });

  it("are refused by a lock that was paired without a secret", () => {
    const lock = new VirtualLock({ now: () => NOON });
    expect(lock.do(configure(PAIRING_SECRET))).toMatchObject(REFUSED);
  });

  it("can be sent again after it lost its memory, but earlier ones are refused", () => {
    const { lock } = testLock();
    const old = configure(PAIRING_SECRET, lock.memory.pairing?.counter);
    lock.loseMemory();
    expect(lock.do(old)).toMatchObject(REFUSED);
    expect(sendCommand(lock, "configure", SETTINGS)).toMatchObject({ ok: true });
  });
});

describe("cards of the hotel", () => {
  it("a management card opens only if it is on the lock's list", () => {
    const { lock, clock } = testLock();
    const card = guestCard({ ...master, kind: "management", validTo: null });
    expect(lock.presentCard(card)).toEqual(shut("not_listed"));
    sendCommand(lock, "set_credential", credential(3, { kind: "card", uid: UID, recordNeeded: true }));
    expect(lock.presentCard(card)).toEqual(OPENED);
    expect(lock.presentCard({ uid: UID, read: () => null })).toEqual(shut("unknown"));
    clock.now += HOUR;
    expect(lock.presentCard(card)).toEqual(shut("expired"));
    sendCommand(lock, "remove_credential", { slot: 3 });
    expect(lock.presentCard(card)).toEqual(shut("not_listed"));
  });

  it("a universal card opens only if it is on the lock's list, whatever the minimum sequence", () => {
    const { lock } = testLock();
    const card = guestCard({ ...master, kind: "universal" });
    expect(lock.presentCard(card)).toEqual(shut("not_listed"));
    sendCommand(lock, "set_credential", credential(3, { kind: "card", uid: UID, recordNeeded: true }));
    sendCommand(lock, "raise_floor", { kind: "guest", floor: 99 });
    expect(lock.presentCard(card)).toEqual(OPENED);
    expect(lock.memory.floor).toBe(99);
  });

  it("an over-the-air card opens by its number alone, in its time", () => {
    const { lock, clock } = testLock();
    const card = { uid: "04A1B2C3D4E580", read: () => null };
    sendCommand(lock, "set_credential", credential(4, { kind: "card", uid: card.uid }));
    expect(lock.presentCard(card)).toEqual(OPENED);
    expect(lock.memory.events.at(-1)?.credential).toEqual({ kind: "slot", slot: 4 });
    clock.now += HOUR;
    expect(lock.presentCard(card)).toEqual(shut("expired"));
  });
});

describe("codes", () => {
  it("open in their period", () => {
    const { lock, clock } = testLock();
    sendCommand(lock, "set_credential", credential(1, { kind: "passcode", code: "402917" }));
    expect(lock.enterCode("402917")).toEqual(OPENED);
    expect(lock.memory.events.at(-1)).toMatchObject({ style: "passcode", credential: { kind: "slot", slot: 1 } });
    clock.now -= 2 * HOUR;
    expect(lock.enterCode("402917")).toEqual(shut("not_yet"));
    clock.now += 4 * HOUR;
    expect(lock.enterCode("402917")).toEqual(shut("expired"));
    sendCommand(lock, "set_credential", credential(1, { kind: "passcode", code: "402917", validTo: null }));
    expect(lock.enterCode("402917")).toEqual(OPENED);
  });

  it("five wrong codes block the keypad for a minute", () => {
    const { lock, clock } = testLock();
    sendCommand(lock, "set_credential", credential(1, { kind: "passcode", code: "402917" }));
    for (let n = 0; n < 5; n += 1) expect(lock.enterCode("000000")).toEqual(shut("unknown"));
    expect(lock.memory.events.map(({ alarm }) => alarm)).toEqual([...Array(4), "wrong_codes"]);
    expect(lock.enterCode("402917")).toEqual(shut("locked_out"));
    expect(lock.presentCard(guestCard())).toEqual(OPENED);
    clock.now += 60_000;
    expect(lock.enterCode("402917")).toEqual(OPENED);
  });

  it("one-time codes open once, also out of order, and end the codes before them", () => {
    const { lock } = testLock();
    expect(lock.enterCode(CODES[1])).toEqual(OPENED);
    expect(lock.memory.events.at(-1)?.credential).toEqual({ kind: "otp", counter: 1 });
    expect(lock.status.otpFloor).toBe(2);
    expect(lock.enterCode(CODES[1])).toEqual(shut("unknown"));
    expect(lock.enterCode(CODES[0])).toEqual(shut("unknown"));
    expect(lock.enterCode(CODES[3])).toEqual(OPENED);
  });

  it("one-time codes can be revoked one by one", () => {
    const { lock } = testLock();
    sendCommand(lock, "skip_code", { counter: 1 });
    expect(lock.enterCode(CODES[1])).toEqual(shut("unknown"));
    expect(lock.enterCode(CODES[0])).toEqual(OPENED);
    expect(lock.memory.codes).toEqual({ next: 2, skipped: [] });
  });

  it("one-time codes are accepted up to 20 ahead and start over with a new secret", () => {
    const { lock } = testLock();
    lock.memory.codes.next = 100;
    expect(lock.enterCode(CODES[0])).toEqual(shut("unknown"));

    sendCommand(lock, "configure", { ...SETTINGS, secret: `00${SETTINGS.secret.slice(2)}` });
    expect(lock.status.otpFloor).toBe(0);
  });
});

it("a face opens in its period", () => {
  const { lock, clock } = testLock();
  sendCommand(lock, "set_credential", credential(9, { kind: "face", faceId: 12, image: "/9j/" }));
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

describe("like a real lock, it", () => {
  const withCode = (): ReturnType<typeof testLock> => {
    const lock = testLock();
    sendCommand(lock.lock, "set_credential", credential(1, { kind: "passcode", code: "402917" }));
    return lock;
  };

  it("opens only by the mechanical key and from inside with a flat battery, and records nothing", () => {
    const { lock } = withCode();
    lock.faults = { ...lock.faults, flatBattery: true };
    expect([lock.presentCard(guestCard()), lock.enterCode("402917"), lock.showFace(1)]).toEqual(
      Array(3).fill(shut("no_power")),
    );
    expect([lock.turnKey(), lock.openInside()]).toEqual([OPENED, OPENED]);
    expect(lock.memory.events).toEqual([]);
    lock.faults = { ...lock.faults, flatBattery: false };
    expect(lock.enterCode("402917")).toEqual(OPENED);
  });

  it("discharges its battery", () => {
    const { lock } = withCode();
    lock.memory.power = 0.01;
    expect([lock.enterCode("402917"), lock.enterCode("402917")]).toEqual([OPENED, shut("no_power")]);
  });

  it("does not open while it is jammed, and uses up neither a one-time code nor its counter", () => {
    const { lock } = withCode();
    lock.faults = { ...lock.faults, jam: true };
    expect([lock.presentCard(guestCard({ sequence: 9 })), lock.enterCode(CODES[0])]).toEqual(
      Array(2).fill(shut("jammed")),
    );
    expect(lockEvent.parse(lock.memory.events.at(-1))).toMatchObject({ success: false, style: "passcode" });
    expect(lock.turnKey()).toEqual(OPENED);
    lock.faults = { ...lock.faults, jam: false };
    expect([lock.presentCard(guestCard()), lock.enterCode(CODES[0])]).toEqual([OPENED, OPENED]);
  });

  it("has a clock that drifts, also after it was set", () => {
    const { lock, clock } = withCode();
    lock.faults = { ...lock.faults, driftPerHour: 600 };
    clock.now += HOUR / 2;
    expect(lock.faults).toMatchObject({ driftSeconds: 300, driftPerHour: 600 });
    sendCommand(lock, "set_clock", { now: instant(clock.now) });
    expect(lock.time).toBe(clock.now);
    clock.now += HOUR / 4;
    expect(lock.time).toBe(clock.now + 150_000);
    clock.now += HOUR / 4 - 300_000;
    expect(lock.enterCode("402917")).toEqual(OPENED);
    clock.now += 240_000;
    expect(lock.enterCode("402917"), "expired by its own clock").toEqual(shut("expired"));
  });

  it("may repeat a command that it forgot in a power failure, but never opens a door twice", () => {
    const { lock } = testLock();
    const set = command("set_credential", credential(1, { kind: "passcode", code: "402917" }));
    lock.interrupted(set, false);
    expect(lock.memory.slots).toEqual([]);
    lock.interrupted(set, true);
    expect(lock.memory).toMatchObject({ slots: [{ slot: 1 }], done: [expect.any(String)] });
    expect(lock.do(set).ok).toBe(true);
    expect(lock.memory.slots).toHaveLength(1);
    const unlock = command("unlock", {});
    lock.interrupted(unlock, true);
    expect([lock.do(unlock).ok, lock.memory.events.length]).toEqual([true, 1]);
  });

  it("loses everything but its battery and clock in a factory reset", () => {
    const { lock } = withCode();
    lock.memory.power = 40;
    lock.faults = { ...lock.faults, driftSeconds: 90 };
    lock.forgetAll();
    expect(lock.memory).toMatchObject({ pairing: null, settings: null, slots: [], power: 40, driftMs: 90_000 });
    expect(sendCommand(lock, "configure", SETTINGS)).toMatchObject({ ok: false, error: "refused" });
  });

  it("decides with code that imports only types from the console", () => {
    const names = new Set<string>();
    const visit = (file: string): void => {
      if (names.has(file)) return;
      names.add(file);
      const text = readFileSync(join(import.meta.dirname, file), "utf8");
      for (const [, name = "", from = ""] of text.matchAll(/^import ([^;]*?) from "([^"]+)";/gms)) {
        if (name.startsWith("type ")) continue;
        if (from.startsWith("./")) visit(from.slice(2));
        else expect(from, file).toMatch(/^node:/);
      }
    };
    for (const file of ["card-verdict.ts", "lock-cipher.ts"]) visit(file);
    const own = ["card-verdict.ts", "lock-cipher.ts", "lock-memory.ts", "week-hours.ts"];
    expect([...names].sort()).toEqual(own);
  });
});

describe("its memory", () => {
  it("stores 500 unacknowledged events in the protocol's format", () => {
    const { lock } = testLock();
    for (let n = 0; n < 505; n += 1) lock.openInside();
    lock.enterCode("000000");
    lock.tamper();
    expect(lock.memory.events).toHaveLength(500);
    expect(lock.memory.events[0]?.seq).toBe(8);
    for (const event of lock.memory.events) lockEvent.parse(event);
  });

  it("deletes acknowledged events and never reuses a number", () => {
    const { lock } = testLock();
    for (let n = 0; n < 3; n += 1) lock.openInside();
    lock.memory.sent = 2;
    lock.acknowledged(2);
    lock.openInside();
    expect(lock.memory.events.map(({ seq }) => seq)).toEqual([3, 4]);
  });

  it("keeps events that it never sent, whatever is acknowledged, and counts such acknowledgements", () => {
    const { lock } = testLock();
    for (let n = 0; n < 3; n += 1) lock.openInside();
    lock.memory.sent = 2;
    lock.acknowledged(3);
    expect(lock.memory).toMatchObject({ strangeAcks: 1, seq: 3 });
    expect(lock.memory.events.map(({ seq }) => seq)).toEqual([1, 2, 3]);
  });

  it("gets a new identifier after a loss, and its numbers start over", () => {
    const { lock } = testLock();
    lock.openInside();
    const { log } = lock.status;
    lock.loseMemory();
    lock.openInside();
    expect(lock.memory.events.map(({ seq }) => seq)).toEqual([1]);
    expect(statusMessage.parse(lock.status).log).not.toBe(log);
  });

  it("continues one-time codes after a loss where the configure command says, and never goes back", () => {
    const { lock } = testLock();
    lock.loseMemory();
    sendCommand(lock, "configure", { ...SETTINGS, otpNext: 2, otpSkipped: [3] });
    expect([lock.enterCode(CODES[1]), lock.enterCode(CODES[3])]).toEqual([shut("unknown"), shut("unknown")]);
    expect(lock.enterCode(CODES[2])).toEqual(OPENED);
    expect(lock.status.otpFloor).toBe(4);
    sendCommand(lock, "configure", { ...SETTINGS, otpNext: 2 });
    expect(lock.status.otpFloor).toBe(4);
  });

  it("survives a power cut", () => {
    const { lock } = testLock();
    sendCommand(lock, "set_credential", credential(1, { kind: "passcode", code: "402917" }));
    lock.presentCard(guestCard({ sequence: 9 }));
    const again = new VirtualLock({ memory: JSON.parse(JSON.stringify(lock.memory)), now: () => NOON });
    expect(again.memory).toEqual(lock.memory);
    expect(again.enterCode("402917")).toEqual(OPENED);
    expect(again.presentCard(guestCard())).toEqual(shut("superseded"));
  });

  it("reports a low battery once", () => {
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
