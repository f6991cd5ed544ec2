import { DomainError } from "@innkey/shared/errors";
import type * as schema from "@innkey/shared/schemas/stays/stays";
import type { z } from "zod";
import type { Scope } from "../../kernel/scope.ts";
import { revokeAccessSince } from "../access/public.ts";
import { reverseCheckIn } from "../folio/public.ts";
import { announceStay } from "../messaging/public.ts";
import { requireUndoable } from "../property/public.ts";
import { readCheckIn, selectRoomForUpdate, selectStayForUpdate, takeBackArrival } from "../stays/public.ts";

/**
 * Undoes a check-in, for example of the wrong party: the stay is reserved again in its room from its planned start, what
 * was paid and deposited at the check-in is given back by counter-entries, and the keys that were issued since are
 * revoked. A party that came without a reservation has one afterwards, which can be cancelled. @throws undo_over;
 * changed_since if the room, the departure or the bill changed meanwhile; payout_not_allowed if money must be given back
 * that the caller may not pay out
 */
export async function undoCheckIn(
  scope: Scope,
  input: z.infer<typeof schema.stayRef>,
): Promise<z.infer<typeof schema.checkInUndone>> {
  scope.require("stays.manage");
  return scope.write(async (tx) => {
    const stay = await selectStayForUpdate(scope, tx, input.stayId, "checked_in");
    const { at, entryIds, isFollowed } = await readCheckIn(tx.sql, stay.id);
    await requireUndoable(scope, tx.sql, { act: "check_in", at });
    if (!entryIds) throw new DomainError("undo_over");
    if (isFollowed) throw new DomainError("changed_since");
    await selectRoomForUpdate(scope, tx.sql, stay.roomId);
    await takeBackArrival(tx, stay);
    const givenBackMinor = await reverseCheckIn(scope, tx, stay.id, entryIds);
    const { revoked } = await revokeAccessSince(scope, tx, stay, at);
    tx.audit({
      action: "stay.check_in_undone",
      entity: "stay",
      entityId: stay.id,
      before: { checkedInAt: at, depositMinor: stay.depositMinor },
      after: { roomId: stay.roomId, startsAt: stay.startsAt, givenBackMinor, keysRevoked: revoked },
    });
    await announceStay(scope, tx, "stay.check_in_undone", stay.id);
    tx.boardChanged([stay.roomId]);
    return { stayId: stay.id, keysRevoked: revoked };
  });
}
