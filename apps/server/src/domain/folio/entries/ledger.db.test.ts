import { DomainError } from "@innkey/shared/errors";
import { checkInInput } from "@innkey/shared/schemas/stays/stays";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestWorld, type TestHotel, type TestWorld } from "../../../../test/harness/hotel.ts";
import type { Scope } from "../../../kernel/scope.ts";
import * as stays from "../../desk/public.ts";
import { detail } from "../../overview/stays.queries.ts";
import * as folio from "./entries.service.ts";
import { list } from "./entries.service.ts";

const NOW = "2026-11-18T14:00:00.000Z";
const DAY_MS = 86_400_000;

let world: TestWorld;
let hotel: TestHotel;
let owner: Scope;

beforeAll(async () => {
  world = await createTestWorld(NOW);
  hotel = await world.createHotel();
  owner = await hotel.scope();
});
afterAll(() => world.close());

const channel = fc.constantFrom("cash", "card", null);
const act = fc.oneof(
  fc.record({ kind: fc.constant("pay" as const), amountMinor: fc.integer({ min: 1, max: 40_000 }) }),
  fc.record({
    kind: fc.constant("refund" as const),
    entry: fc.nat(8),
    amountMinor: fc.integer({ min: 1, max: 30_000 }),
    channel,
  }),
  fc.record({ kind: fc.constant("renew" as const), nights: fc.integer({ min: 1, max: 4 }), channel }),
  fc.record({ kind: fc.constant("move" as const), room: fc.nat(2), channel }),
  fc.record({ kind: fc.constant("wait" as const), hours: fc.integer({ min: 1, max: 30 }) }),
);

/** Refusals that a staff member may meet; any other error is a defect. */
const REFUSALS = new Set(["invalid_input", "refund_too_large", "stay_expired", "room_taken", "state_conflict"]);

async function tolerate(work: Promise<unknown>): Promise<void> {
  await work.catch((error: unknown) => {
    if (!(error instanceof DomainError) || !REFUSALS.has(error.code)) throw error;
  });
}

async function readImbalance(): Promise<number> {
  const { rows } = await world.database.pool.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM (SELECT folio_entry_id FROM ledger_entry GROUP BY folio_entry_id HAVING sum(amount_minor) <> 0) broken`,
  );
  return rows[0]?.count ?? -1;
}

describe("the ledger", () => {
  it("stays balanced after any acts on a stay, and check-out leaves nothing open", async () => {
    let serial = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(act, { maxLength: 12 }), channel, async (acts, firstChannel) => {
        world.clock.set(NOW);
        const prices = [{}, { usualMinor: 7_000, weekendMinor: 9_900 }, { usualMinor: 23_000, weekendMinor: 31_000 }];
        const rooms: number[] = [];
        for (const price of prices) rooms.push(await hotel.createRoom(`L${++serial}`, price));
        const [roomId] = rooms;
        const { stayId } = await stays.checkIn(
          owner,
          checkInInput.parse({
            roomId,
            unit: "day",
            startsAt: NOW,
            endsAt: "2026-11-21T11:00:00.000Z",
            guests: [{ name: `Guest ${serial}` }],
            channel: firstChannel,
          }),
        );
        for (const step of acts) {
          const stay = await detail(owner, stayId);
          if (step.kind === "pay")
            await tolerate(folio.pay(owner, { stayId, amountMinor: step.amountMinor, channel: "cash", note: "" }));
          if (step.kind === "wait") world.clock.advance(step.hours * 3_600_000);
          if (step.kind === "refund") {
            const entry = stay.entries[step.entry % stay.entries.length];
            if (entry)
              await tolerate(
                folio.refund(owner, {
                  entryId: entry.id,
                  amountMinor: step.amountMinor,
                  channel: step.channel,
                  note: "",
                }),
              );
          }
          if (step.kind === "renew") {
            const endsAt = new Date(Date.parse(stay.endsAt) + step.nights * DAY_MS).toISOString();
            await tolerate(
              stays.renew(owner, {
                stayId,
                endsAt,
                agreedTotalMinor: null,
                expectedTotalMinor: null,
                channel: step.channel,
              }),
            );
          }
          if (step.kind === "move") {
            const to = rooms[step.room];
            const rest = {
              agreedTotalMinor: null,
              expectedDifferenceMinor: null,
              disableOldCards: true,
              confirmDirty: true,
            };
            if (to) await tolerate(stays.changeRoom(owner, { ...rest, stayId, roomId: to, channel: step.channel }));
          }
          const { money } = await detail(owner, stayId);
          expect(money.chargedMinor).toBeGreaterThanOrEqual(0);
          expect(money.depositHeldMinor).toBeGreaterThanOrEqual(0);
          expect(money.paidMinor).toBeGreaterThanOrEqual(0);
          expect(money.paidMinor).toBe(money.chargedMinor - money.owedMinor);
        }
        const out = await stays.checkOut(owner, {
          stayId,
          refundDeposit: true,
          refundUnusedMinor: 0,
          channel: "card",
          refundChannel: "card",
          confirmUnpaid: false,
        });
        expect(out.owedMinor).toBe(0);
        const { money } = await detail(owner, stayId);
        expect(money).toMatchObject({ owedMinor: 0, depositHeldMinor: 0, unusedMinor: 0 });
        expect(await readImbalance()).toBe(0);
      }),
      { numRuns: 40 },
    );
  });

  it("cannot be rewritten", async () => {
    for (const statement of [
      "UPDATE ledger_entry SET amount_minor = 0",
      "UPDATE folio_entry SET amount_minor = 0, note = ''",
      "DELETE FROM folio_entry",
      "TRUNCATE ledger_entry",
    ]) {
      await expect(world.database.pool.query(statement)).rejects.toThrow(/append-only|foreign key/);
    }
  });

  it("refuses entries that don't sum to zero at commit", async () => {
    const entry = await world.database.prisma.folioEntry.findFirstOrThrow();
    const insert =
      "INSERT INTO ledger_entry (hotel_id, folio_entry_id, account, amount_minor) VALUES ($1, $2, 'cash', 5)";
    await expect(world.database.pool.query(insert, [entry.hotelId, entry.id])).rejects.toThrow(/sum to zero/);
  });

  it("shows entries to their hotel only, and to staff those of their rooms", async () => {
    const page = { page: 1, pageSize: 20 };
    expect((await list(owner, page)).total).toBeGreaterThan(0);
    expect((await list(await (await world.createHotel()).scope(), page)).total).toBe(0);
    const staff = await hotel.scope("staff", { capabilities: ["folio.view"], roomIds: [] });
    expect((await list(staff, page)).total).toBe(0);
    const stranger = await (await world.createHotel()).scope();
    const entry = await world.database.prisma.folioEntry.findFirstOrThrow({ where: { hotelId: hotel.id } });
    const refund = folio.refund(stranger, { entryId: entry.id, amountMinor: 1, channel: null, note: "" });
    await expect(refund).rejects.toMatchObject({ code: "not_found" });
  });
});
