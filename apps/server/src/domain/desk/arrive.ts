import { DomainError } from "@innkey/shared/errors";
import { businessDate } from "@innkey/shared/hotel-time";
import type * as schema from "@innkey/shared/schemas/stays/stays";
import type { z } from "zod";
import type { Scope } from "../../kernel/scope.ts";
import type { Transaction } from "../../kernel/transaction.ts";
import { beginAccess } from "../access/public.ts";
import { settle } from "../folio/public.ts";
import { announceStay } from "../messaging/public.ts";
import {
  checkAlreadyIn,
  checkInStay,
  checkReady,
  readGuestInputs,
  selectRoomForUpdate,
  selectStayForUpdate,
} from "../stays/public.ts";
import { type Booked, bookedAs, takeDeposit } from "./check-in.ts";

/**
 * Checks in the party of a reservation. @throws arrival_too_early before the reserved day, as nights would be missing
 */
export async function arriveIn(
  scope: Scope,
  tx: Transaction,
  input: z.infer<typeof schema.arriveInput>,
): Promise<Booked> {
  const now = scope.now();
  const { timeZone, dayStartTime } = scope.hotel;
  const stay = await selectStayForUpdate(scope, tx, input.stayId, "reserved");
  const room = await selectRoomForUpdate(scope, tx.sql, stay.roomId);
  checkReady(room, input.confirmDirty);
  if (Date.parse(stay.endsAt) <= now.getTime()) throw new DomainError("stay_expired");
  const planned = businessDate(stay.startsAt, timeZone, dayStartTime);
  if (businessDate(now.toISOString(), timeZone, dayStartTime) < planned) {
    throw new DomainError("arrival_too_early", { date: planned });
  }
  await checkAlreadyIn(scope, tx, await readGuestInputs(scope, tx, stay.id), stay.id, input.confirmAlreadyIn);
  const depositMinor = input.depositMinor ?? room.prices?.depositMinor ?? 0;
  await checkInStay(scope, tx, stay, depositMinor);
  await beginAccess(scope, tx, stay.id, room.id);
  await takeDeposit(scope, tx, stay.id, depositMinor, input.depositChannel);
  if (input.channel) await settle(scope, tx, stay.id, input.channel);
  tx.audit({
    action: "stay.arrive",
    entity: "stay",
    entityId: stay.id,
    after: { roomId: room.id, depositMinor },
  });
  await announceStay(scope, tx, "stay.checked_in", stay.id);
  tx.boardChanged();
  return bookedAs(tx, stay, depositMinor);
}

/**
 * Checks in the party of a reservation. @throws arrival_too_early before the reserved day, as nights would be missing
 */
export async function arrive(scope: Scope, input: z.infer<typeof schema.arriveInput>): Promise<Booked> {
  scope.require("stays.manage");
  return scope.write((tx) => arriveIn(scope, tx, input));
}
