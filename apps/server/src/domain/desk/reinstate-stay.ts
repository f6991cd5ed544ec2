import { DomainError } from "@innkey/shared/errors";
import type * as schema from "@innkey/shared/schemas/stays/stays";
import type { z } from "zod";
import type { Scope } from "../../kernel/scope.ts";
import { reverseEnd } from "../folio/public.ts";
import { announceStay } from "../messaging/public.ts";
import { requireUndoable } from "../property/public.ts";
import {
  readEnd,
  reopenReservation,
  selectRoomForUpdate,
  selectStayForUpdate,
  unconfirmBooking,
} from "../stays/public.ts";

/**
 * Brings back a reservation that was cancelled or recorded as a no-show, in its room or another one, at the price that
 * it was booked for: what its end refunded is charged again by counter-entries. With `isMoneyBack`, what was paid out
 * is taken back through the same channel, otherwise it is owed. Its keys stay revoked, and new ones are given at
 * arrival. @throws room_taken; reservation_over past the planned departure
 */
export async function reinstate(
  scope: Scope,
  input: z.infer<typeof schema.reinstateInput>,
): Promise<{ stayId: number }> {
  scope.require("stays.manage");
  return scope.write(async (tx) => {
    const stay = await selectStayForUpdate(scope, tx, input.stayId, "cancelled", "no_show");
    if (Date.parse(stay.endsAt) <= scope.now().getTime()) throw new DomainError("reservation_over");
    const room = await selectRoomForUpdate(scope, tx.sql, input.roomId ?? stay.roomId);
    const { at, entryIds } = await readEnd(tx, stay.id);
    await requireUndoable(scope, tx.sql, { act: "end_of_reservation", at, until: stay.endsAt });
    await reopenReservation(scope, tx, stay, room.id);
    await unconfirmBooking(scope, tx, stay.id);
    await reverseEnd(scope, tx, { stayId: stay.id, entryIds, isMoneyBack: input.isMoneyBack });
    tx.audit({
      action: "stay.reinstate",
      entity: "stay",
      entityId: stay.id,
      before: { state: stay.state, roomId: stay.roomId },
      after: { roomId: room.id, startsAt: stay.startsAt, endsAt: stay.endsAt, isMoneyBack: input.isMoneyBack },
    });
    await announceStay(scope, tx, "stay.reinstated", stay.id);
    tx.boardChanged([stay.roomId, room.id]);
    return { stayId: stay.id };
  });
}
