import { DomainError } from "@innkey/shared/errors";
import type * as schema from "@innkey/shared/schemas/stays/stays";
import type { z } from "zod";
import type { Scope } from "../../kernel/scope.ts";
import { restoreAccess } from "../access/public.ts";
import { reverseEnd } from "../folio/public.ts";
import { announceStay } from "../messaging/public.ts";
import { requireUndoable, setRoomsCondition } from "../property/public.ts";
import { readEnd, reopenStay, selectRoomForUpdate, selectStayForUpdate } from "../stays/public.ts";

/**
 * Undoes a check-out, for example of the wrong room: the party is in its room again with the dates of its stay, what the
 * check-out moved is moved back by counter-entries, the room's condition comes back unless it was cleaned since, and the
 * party's keys work again. @throws undo_over; room_taken if somebody else has the room since; payout_not_allowed if what
 * the check-out took must be given back, and the caller may not pay out
 */
export async function undoCheckOut(
  scope: Scope,
  input: z.infer<typeof schema.stayRef>,
): Promise<z.infer<typeof schema.checkOutUndone>> {
  scope.require("stays.manage");
  return scope.write(async (tx) => {
    const stay = await selectStayForUpdate(scope, tx, input.stayId, "checked_out");
    const { at, entryIds, roomCondition } = await readEnd(tx, stay.id);
    await requireUndoable(scope, tx.sql, { act: "check_out", at });
    if (!roomCondition) throw new DomainError("undo_over");
    const room = await selectRoomForUpdate(scope, tx.sql, stay.roomId);
    await reopenStay(scope, tx, stay, at);
    await reverseEnd(scope, tx, { stayId: stay.id, entryIds, isMoneyBack: true });
    if (roomCondition === "clean" && room.condition === "dirty") await setRoomsCondition(tx, [room.id], "clean");
    const { lost } = await restoreAccess(scope, tx, stay, at);
    tx.audit({
      action: "stay.check_out_undone",
      entity: "stay",
      entityId: stay.id,
      before: { checkedOutAt: at },
      after: { roomId: room.id, endsAt: stay.endsAt, keysLost: lost },
    });
    await announceStay(scope, tx, "stay.check_out_undone", stay.id);
    tx.boardChanged([room.id]);
    return { stayId: stay.id, keysLost: lost };
  });
}
