import { DomainError } from "@innkey/shared/errors";
import type * as schema from "@innkey/shared/schemas/stays";
import type { z } from "zod";
import type { Scope } from "../../../kernel/scope.ts";
import type { Unit } from "../../../kernel/unit.ts";
import { lockStay } from "../stays/live-stay.ts";
import { checkAlreadyIn } from "../stays/stay-checks.ts";
import { changeGuest, guestColumns, livesElsewhere, saveGuest, splitGuest } from "./identity.ts";

type Input<S extends z.ZodType> = z.infer<S>;

/** The most people one stay holds. */
const MAXIMUM_GUESTS = 20;

/** One more guest on a stay. @throws guest_already_in until confirmed */
export async function add(scope: Scope, input: Input<typeof schema.addGuestInput>): Promise<{ manageId: number }> {
  scope.require("stays.manage");
  return scope.write(async (unit) => {
    const stay = await lockStay(scope, unit, input.stayId, "reserved", "checked_in");
    if ((await unit.db.stayGuest.count({ where: { stayId: stay.id } })) >= MAXIMUM_GUESTS) {
      throw new DomainError("state_conflict", { max: MAXIMUM_GUESTS });
    }
    if (stay.state === "checked_in") await checkAlreadyIn(scope, unit, [input.guest], stay.id, input.confirmAlreadyIn);
    const guestId = await saveGuest(scope, unit, input.guest);
    const row = await unit.db.stayGuest.create({
      data: { hotelId: scope.hotelId, stayId: stay.id, guestId, createdAt: scope.now() },
      select: { id: true },
    });
    unit.journal({ action: "guest.add", entity: "stay", entityId: stay.id, after: { manageId: row.id } });
    unit.boardChanged();
    return { manageId: row.id };
  });
}

/**
 * Corrects a guest's identity while the stay lasts. Somebody who is also in a room that the caller wasn't granted stays as
 * they are there. @throws state_conflict for a stay that is over, and for one who was erased
 */
export async function update(
  scope: Scope,
  input: Input<typeof schema.updateGuestInput>,
): Promise<{ manageId: number }> {
  scope.require("stays.manage");
  await scope.write((unit) => correctGuest(scope, unit, input));
  return { manageId: input.manageId };
}

/** The same inside a write of more; the caller asked for stays.manage. */
export async function correctGuest(
  scope: Scope,
  unit: Unit,
  { manageId, guest }: Input<typeof schema.updateGuestInput>,
): Promise<void> {
  const { stayId } = await findOnStay(scope, unit, manageId);
  await lockStay(scope, unit, stayId, "reserved", "checked_in");
  // Read under the lock: a correction of a moment ago may have made this a person of its own.
  const { guestId } = await findOnStay(scope, unit, manageId);
  const existing = await unit.db.guest.findFirst({ where: { id: guestId, erasedAt: null } });
  if (!existing) throw new DomainError("state_conflict");
  if (await livesElsewhere(scope, unit, guestId)) {
    await splitGuest(scope, unit, existing, { manageId, stayId, guest });
  } else if (!(await changeGuest(unit, existing, guestColumns(scope, guestId, guest)))) {
    throw new DomainError("state_conflict");
  }
  unit.boardChanged();
}

/** Takes a guest off a stay; the last one stays, and the primary one hands over to the next. @throws last_guest */
export async function remove(scope: Scope, manageId: number): Promise<{ manageId: number }> {
  scope.require("stays.manage");
  return scope.write(async (unit) => {
    const { stayId } = await findOnStay(scope, unit, manageId);
    await lockStay(scope, unit, stayId, "reserved", "checked_in");
    // Read again under the lock: who was taken off a moment ago may have handed over to this one.
    const { primary } = await findOnStay(scope, unit, manageId);
    const others = await unit.db.stayGuest.findMany({
      where: { stayId, NOT: { id: manageId } },
      orderBy: { id: "asc" },
      select: { id: true },
    });
    const [next] = others;
    if (!next) throw new DomainError("last_guest");
    await unit.db.stayGuest.delete({ where: { id: manageId } });
    if (primary) await unit.db.stayGuest.update({ where: { id: next.id }, data: { primary: true } });
    unit.journal({ action: "guest.remove", entity: "stay", entityId: stayId, before: { manageId } });
    unit.boardChanged();
    return { manageId };
  });
}

/** @throws not_found, also for a guest in a room the caller wasn't granted */
export async function findOnStay(scope: Scope, unit: Unit, manageId: number) {
  const row = await unit.db.stayGuest.findFirst({
    where: { id: manageId },
    select: {
      stayId: true,
      guestId: true,
      primary: true,
      stay: { select: { occupancies: { orderBy: { id: "desc" }, take: 1, select: { roomId: true } } } },
    },
  });
  const roomId = row?.stay.occupancies[0]?.roomId;
  if (!row || roomId === undefined || !scope.seesRoom(roomId)) throw new DomainError("not_found");
  return row;
}
