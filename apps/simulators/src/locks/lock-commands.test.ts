import { describe, expect, it } from "vitest";
import {
  command,
  credential,
  guestCard,
  HOUR,
  instant,
  NOON,
  SETTINGS,
  sendCommand,
  testLock,
} from "./lock-under-test.ts";
import { OWN_SLOTS } from "./virtual-lock.ts";

const code = (slot: number, digits: string) => credential(slot, { kind: "passcode", code: digits });

describe("a command", () => {
  it("is executed once however often it arrives, and answered each time", () => {
    const { lock } = testLock();
    const unlock = command("unlock", {});
    expect([lock.do(unlock), lock.do(unlock)]).toEqual(Array(2).fill({ id: unlock.id, ok: true }));
    expect(lock.memory.events).toHaveLength(1);
    expect(lock.memory.events[0]).toMatchObject({ style: "remote", credential: { kind: "command", id: unlock.id } });
  });

  it("that arrives again late does not undo later commands", () => {
    const { lock } = testLock();
    const set = command("set_credential", code(1, "402917"));
    lock.do(set);
    sendCommand(lock, "remove_credential", { slot: 1 });
    expect(lock.do(set).ok).toBe(true);
    expect(lock.memory.slots).toEqual([]);
  });

  it("that failed is tried again when it is repeated", () => {
    const { lock } = testLock();
    const unlock = command("unlock", {});
    lock.faults = { ...lock.faults, jam: true };
    expect(lock.do(unlock)).toEqual({ id: unlock.id, ok: false, error: "busy" });
    lock.faults = { ...lock.faults, jam: false };
    expect(lock.do(unlock).ok).toBe(true);
  });

  it("is refused once it has expired, by the lock's own clock", () => {
    const { lock } = testLock();
    const unlock = command("unlock", {}, { expires: instant(NOON + 30_000) });
    lock.faults = { ...lock.faults, driftSeconds: 60 };
    expect(lock.do(unlock)).toMatchObject({ ok: false, error: "refused" });
    expect(lock.status.at).toBe(instant(NOON + 60_000));
    const clock = command("set_clock", { now: instant(NOON) }, { expires: instant(NOON + 10_000) });
    expect(lock.do(clock).ok).toBe(true);
    expect(lock.do(unlock).ok).toBe(true);
    expect(lock.faults.driftSeconds).toBe(0);
  });

  it("that is malformed is answered as invalid", () => {
    const { lock } = testLock();
    expect(lock.do({ ...command("raise_floor", { kind: "guest", floor: 1 }), args: { kind: "staff" } })).toMatchObject({
      ok: false,
      error: "invalid",
    });
    expect(sendCommand(lock, "set_credential", code(1, "40291"))).toMatchObject({ error: "invalid" });
    expect(sendCommand(lock, "set_credential", credential(1, { kind: "card" }))).toMatchObject({ error: "invalid" });
    expect(sendCommand(lock, "set_credential", credential(1, { kind: "face", faceId: 3 }))).toMatchObject({
      error: "invalid",
    });
  });

  it("is remembered for the next 500 commands", () => {
    const { lock } = testLock();
    for (let n = 0; n < 510; n += 1) sendCommand(lock, "notice", { text: "Pool closes at ten" });
    expect(lock.memory.done).toHaveLength(500);
    expect(lock.memory.notice).toBe("Pool closes at ten");
  });
});

describe("credentials", () => {
  it("in the same slot are changed", () => {
    const { lock } = testLock();
    sendCommand(lock, "set_credential", code(1, "402917"));
    sendCommand(lock, "set_credential", code(1, "402918"));
    expect(lock.enterCode("402917").opened).toBe(false);
    expect(lock.enterCode("402918").opened).toBe(true);
  });

  it("with a code that another slot uses are reported as duplicates until that slot expires", () => {
    const { lock, clock } = testLock();
    sendCommand(lock, "set_credential", code(1, "402917"));
    expect(sendCommand(lock, "set_credential", code(2, "402917"))).toMatchObject({
      ok: false,
      error: "duplicate",
      slot: 1,
    });
    clock.now += HOUR;
    expect(sendCommand(lock, "set_credential", code(2, "402917")).ok).toBe(true);
  });

  it("are stored in a full lock only in place of an expired one", () => {
    const { lock, clock } = testLock({ capacity: 2 });
    sendCommand(lock, "set_credential", code(1, "402917"));
    sendCommand(lock, "set_credential", code(2, "402918"));
    expect(sendCommand(lock, "set_credential", code(3, "402919"))).toMatchObject({ ok: false, error: "full" });
    expect(sendCommand(lock, "set_credential", code(2, "402920")).ok).toBe(true);
    clock.now += HOUR;
    expect(sendCommand(lock, "set_credential", code(3, "402919")).ok).toBe(true);
    expect(lock.memory.slots.map(({ slot }) => slot)).toEqual([3]);
  });

  it("are refused by a lock that is simulated as full", () => {
    const { lock } = testLock();
    lock.faults = { ...lock.faults, full: true };
    expect(sendCommand(lock, "set_credential", code(1, "402917"))).toMatchObject({ ok: false, error: "full" });
  });

  it("on the refusal list expire, and a full list takes a new number only after one has expired", () => {
    const { lock, clock } = testLock({ blockCapacity: 2 });
    const block = (uid: string, until: string | null) => sendCommand(lock, "block_card", { uid, until });
    const allow = { until: null, sequence: 7, validFrom: instant(NOON), validTo: null };
    expect([block("00000001", null).ok, block("00000002", instant(NOON + HOUR)).ok]).toEqual([true, true]);
    expect(block("00000003", null)).toMatchObject({ ok: false, error: "full" });
    expect(sendCommand(lock, "allow_card", { uid: "00000003", ...allow })).toMatchObject({ ok: false, error: "full" });
    expect(block("00000001", null).ok).toBe(true);
    clock.now += HOUR;
    expect(block("00000003", null).ok).toBe(true);
    expect(lock.memory.blocked.map(({ uid }) => uid).sort()).toEqual(["00000001", "00000003"]);
    lock.faults = { ...lock.faults, fullBlocks: true };
    expect([block("00000004", null).error, block("00000003", null).error]).toEqual(["full", undefined]);
  });

  it("are read back, including those set at the door", () => {
    const { lock } = testLock();
    sendCommand(lock, "set_credential", code(1, "402917"));
    const own = lock.learn("731846", "Gardener");
    const { held: credentials } = sendCommand(lock, "read_back", {});
    expect(credentials).toEqual([
      { slot: 1, kind: "passcode", name: "", validFrom: instant(NOON - HOUR), validTo: instant(NOON + HOUR) },
      { slot: own, kind: "passcode", name: "Gardener", validFrom: null, validTo: null },
    ]);
    expect(own).toBeGreaterThan(OWN_SLOTS);
    expect(lock.enterCode("731846").opened).toBe(true);
    sendCommand(lock, "remove_credential", { slot: own });
    expect(lock.enterCode("731846").opened).toBe(false);
  });
});

it("repeated settings do not lower the minimums that the door has already seen", () => {
  const { lock } = testLock();
  lock.presentCard(guestCard({ sequence: 9 }));
  sendCommand(lock, "configure", SETTINGS);
  expect(lock.memory.floor).toBe(9);
  sendCommand(lock, "configure", { ...SETTINGS, sequenceEpoch: 1_795_356_000 });
  expect(lock.memory.floor, "unless the door's sequence was started over").toBe(5);
  lock.presentCard(guestCard({ sequence: 9 }));
  sendCommand(lock, "configure", { ...SETTINGS, sequenceEpoch: 1_795_356_000 });
  expect(lock.memory.floor, "once").toBe(9);
});
