import { DomainError } from "@innkey/shared/errors";
import { checkInInput, checkOutInput, noShowInput, reserveInput } from "@innkey/shared/schemas/stays/stays";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { createTestWorld, type TestHotel, type TestWorld } from "../../../test/harness/hotel.ts";
import { appRouter } from "../../api/trpc/router.ts";
import type { Scope } from "../../kernel/scope.ts";
import { recharge, setAccount, undoWithdrawal, withdraw } from "../folio/balance/balance.service.ts";
import type * as rule from "../property/undo.ts";
import * as desk from "./public.ts";
import { restoreStatus, setStatus } from "./set-room-status.ts";

/** Refuses every act, in place of the rule. */
const refusal = vi.hoisted(() => ({ isOn: false }));
vi.mock("../property/undo.ts", async (original) => {
  const real = await original<typeof rule>();
  return {
    ...real,
    mayUndo: async (...args: Parameters<typeof rule.mayUndo>) => !refusal.isOn && (await real.mayUndo(...args)),
    requireUndoable: async (...args: Parameters<typeof rule.requireUndoable>) => {
      if (refusal.isOn) throw new DomainError("undo_over");
      await real.requireUndoable(...args);
    },
  };
});

// Wednesday 2026-11-18, 15:00 in Berlin.
const NOW = "2026-11-18T14:00:00.000Z";
const END = "2026-11-21T11:00:00.000Z";

let world: TestWorld;
let hotel: TestHotel;
let owner: Scope;
let room: number;

beforeAll(async () => {
  world = await createTestWorld(NOW);
});
afterAll(() => world.close());
beforeEach(async () => {
  world.clock.set(NOW);
  hotel = await world.createHotel();
  owner = await hotel.scope();
  room = await hotel.createRoom("101");
});
afterEach(() => {
  refusal.isOn = false;
});

const party = () => ({ roomId: room, unit: "day", startsAt: NOW, endsAt: END, guests: [{ name: "Ann Lee" }] });
const reserve = () => desk.reserve(owner, reserveInput.parse(party()));
const reinstate = (stayId: number) => () => desk.reinstate(owner, { stayId, isMoneyBack: true });

/**
 * Every undo of an act: does the act and returns its undo. `longer`: what comes of it after ten minutes and on a closed
 * day, if the act has its own term.
 */
const UNDOS: Record<string, { act: () => Promise<() => Promise<unknown>>; procedure: string; longer?: true }> = {
  "a check-in": {
    procedure: "stays.undoCheckIn",
    async act() {
      const { stayId } = await desk.checkIn(owner, checkInInput.parse({ ...party(), depositMinor: 0 }));
      return () => desk.undoCheckIn(owner, { stayId });
    },
  },
  "a check-out": {
    procedure: "stays.undoCheckOut",
    async act() {
      const { stayId } = await desk.checkIn(owner, checkInInput.parse({ ...party(), depositMinor: 0 }));
      await desk.checkOut(owner, checkOutInput.parse({ stayId, confirmUnpaid: true }));
      return () => desk.undoCheckOut(owner, { stayId });
    },
  },
  "a room's status": {
    procedure: "rooms.restoreStatus",
    async act() {
      const { changed } = await setStatus(owner, { roomIds: [room], status: "dirty", until: null, note: "" });
      return async () => {
        const { failed } = await restoreStatus(owner, { status: "dirty", rooms: changed });
        for (const { code } of failed) throw new DomainError(code);
      };
    },
  },
  "a cancelled reservation": {
    procedure: "stays.reinstate",
    longer: true,
    async act() {
      const { stayId } = await reserve();
      await desk.cancelReservation(owner, { stayId });
      return reinstate(stayId);
    },
  },
  "a no-show": {
    procedure: "stays.reinstate",
    longer: true,
    async act() {
      const { stayId } = await reserve();
      await desk.markNoShow(owner, noShowInput.parse({ stayId }));
      return reinstate(stayId);
    },
  },
  "a withdrawal": {
    procedure: "folio.undoWithdrawal",
    longer: true,
    async act() {
      await setAccount(owner, { type: "bank", name: "Ada", bank: "Elbe", number: "DE89370400440532013000" });
      await recharge(owner, { amountMinor: 1_000, channel: "transfer", note: "" });
      const { entryId } = await withdraw(owner, { amountMinor: 1_000, note: "" });
      return () => undoWithdrawal(owner, { entryId, reason: "It came back" });
    },
  },
};

const closeDay = (date: string) =>
  world.database.prisma.nightAudit.create({
    data: { hotelId: hotel.id, date: new Date(date), figures: {}, closedAt: owner.now() },
  });
const codeOf = (act: Promise<unknown>) =>
  act.then(
    () => null,
    (error: unknown) => (error instanceof DomainError ? error.code : error),
  );

describe.each(Object.entries(UNDOS))("the undo of %s", (_what, { act, longer }) => {
  it("asks the rule, and is refused if that refuses", async () => {
    const undo = await act();
    refusal.isOn = true;
    expect(await codeOf(undo())).toBe("undo_over");
    refusal.isOn = false;
    expect(await codeOf(undo())).toBeNull();
  });

  it("is possible for ten minutes, even on a day that was closed", async () => {
    const undo = await act();
    await closeDay("2026-11-18");
    world.clock.advance(10 * 60_000);
    expect(await codeOf(undo())).toBeNull();
  });

  it("is possible for as long as the day is open, through the night", async () => {
    const undo = await act();
    await closeDay("2026-11-17");
    world.clock.set("2026-11-19T03:30:00.000Z");
    expect(await codeOf(undo())).toBeNull();
  });

  it(`is ${longer ? "possible" : "refused"} after ten minutes on a closed day`, async () => {
    const undo = await act();
    await closeDay("2026-11-18");
    world.clock.advance(10 * 60_000 + 1);
    expect(await codeOf(undo())).toBe(longer ? null : "undo_over");
  });
});

it("lists every procedure that undoes an act", () => {
  const undos = Object.keys(appRouter._def.procedures).filter((path) => /undo|restore|reinstate/i.test(path));
  expect(undos.sort()).toEqual([...new Set(Object.values(UNDOS).map(({ procedure }) => procedure))].sort());
});
