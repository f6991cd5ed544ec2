import type { LockEvent } from "@innkey/shared/locks/protocol";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { createTestWorld, type TestHotel, type TestWorld } from "../../../../test/harness/hotel.ts";
import { type Door, keyRing } from "../../../../test/harness/keys.ts";
import type { Card } from "../../../adapters/postgres/generated/client.ts";
import { UnlockIngest } from "./ingest.ts";

const NOW = "2026-11-18T14:00:00.000Z";
const HOUR_MS = 3_600_000;
const UID = "A0B1C2D3";
const SEQUENCE = 7;

let world: TestWorld;
let hotel: TestHotel;
let door: Door;
let keys: ReturnType<typeof keyRing>;
let ingest: UnlockIngest;
let notified: number;

beforeAll(async () => {
  world = await createTestWorld(NOW);
});
afterAll(() => world.close());
beforeEach(async () => {
  hotel = await world.createHotel();
  keys = keyRing(world, hotel);
  door = await keys.door("101");
  ingest = new UnlockIngest({ database: world.database, clock: world.clock, log: { info: vi.fn() } });
  notified = 0;
});

type Fields = Partial<Parameters<typeof keys.card>[0]>;
const issue = (fields: Fields = {}): Promise<Card> =>
  keys.card({ uid: UID, state: "pending", sequence: SEQUENCE, lockNumber: door.lockId, createdAt: NOW, ...fields });
const until = (card: Card, hours: number) =>
  world.database.prisma.card.update({
    where: { id: card.id },
    data: { validTo: new Date(Date.parse(NOW) + hours * HOUR_MS) },
  });
const state = async ({ id }: Card): Promise<string> => (await keys.cardNow(id)).state;

/** Presents the card at a door, and the lock reports it. */
async function show(sequence: number | undefined, fields: Partial<LockEvent> = {}, at: Door = door): Promise<void> {
  notified += 1;
  const record = sequence === undefined ? {} : { sequence, card: "guest" as const };
  const credential = { kind: "card" as const, uid: UID, ...record };
  await ingest.events(at.name, [
    { seq: notified, at: world.clock.now().toISOString(), style: "card", success: true, credential, ...fields },
  ]);
}

describe("a card whose writing was never confirmed", () => {
  it("becomes active once its lock opens for its record", async () => {
    const card = await issue();
    await show(SEQUENCE, { success: false, reason: "expired" });
    await show(undefined);
    await show(SEQUENCE - 1);
    expect(await state(card)).toBe("pending");
    await show(SEQUENCE);
    expect(await keys.cardNow(card.id)).toMatchObject({ state: "active", confirmedAt: world.clock.now() });
  });

  it("stays unchanged when another lock opens, or for a card of another kind", async () => {
    const card = await issue();
    const other = await keys.door("102");
    await show(SEQUENCE, {}, other);
    const credential = { kind: "card" as const, uid: UID, sequence: SEQUENCE, card: "universal" as const };
    await show(SEQUENCE, { credential });
    expect(await state(card)).toBe("pending");
  });

  it("ends the card that it overwrote, and no other", async () => {
    const before = await issue({ state: "revoking", sequence: SEQUENCE - 1 });
    const elsewhere = await issue({ uid: "00000001", state: "revoking" });
    const card = await issue();
    await show(SEQUENCE);
    expect([await state(card), await state(before), await state(elsewhere)]).toEqual(["active", "revoked", "revoking"]);
  });

  it("cannot be told from an earlier issue with the same sequence and another period", async () => {
    const before = await until(await issue({ state: "revoking" }), 2);
    const card = await issue();
    await show(SEQUENCE);
    expect([await state(card), await state(before)]).toEqual(["pending", "revoking"]);
    // Once the other issue has expired, the record can't be that one's.
    world.clock.advance(3 * HOUR_MS);
    await show(SEQUENCE);
    expect(await state(card)).toBe("active");
    world.clock.advance(-3 * HOUR_MS);
  });

  it("that was prepared twice for the same time becomes active, and the other one ends", async () => {
    const first = await issue({ state: "revoking" });
    const second = await issue();
    await show(SEQUENCE);
    expect([await state(second), await state(first)]).toEqual(["active", "revoked"]);
  });

  it("stays revoked when it was taken back", async () => {
    const card = await issue({ state: "revoking" });
    await show(SEQUENCE);
    expect(await state(card)).not.toBe("active");
  });
});
