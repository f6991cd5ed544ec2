import type { PaperRow, RowApplied } from "@innkey/shared/schemas/overview/outage";
import { changeRoomInput, checkInInput, checkOutInput } from "@innkey/shared/schemas/stays/stays";
import type { Scope } from "../../kernel/scope.ts";
import type { Transaction } from "../../kernel/transaction.ts";
import { checkPaperRows } from "../overview/public.ts";
import { readPartyIn } from "../stays/public.ts";
import { changeRoomIn } from "./change-room.ts";
import { checkInIn } from "./check-in.ts";
import { checkOutIn } from "./check-out.ts";

/** Does what a row says with the act of the desk, unpaid, and returns the stay's id. */
async function actOn(scope: Scope, tx: Transaction, row: PaperRow): Promise<number> {
  switch (row.act) {
    case "check_in": {
      const { roomId, startsAt, endsAt, guestName } = row;
      const guests = [{ name: guestName }];
      const input = { roomId, startsAt, endsAt, guests, unit: "day", depositMinor: 0, confirmDirty: true };
      return (await checkInIn(scope, tx, checkInInput.parse(input))).stayId;
    }
    case "check_out": {
      const stayId = await readPartyIn(scope, tx.sql, row.roomId);
      const money = { refundDeposit: false, refundChannel: null, confirmUnpaid: true };
      return (await checkOutIn(scope, tx, checkOutInput.parse({ stayId, ...money }))).stayId;
    }
    case "change_room": {
      const stayId = await readPartyIn(scope, tx.sql, row.fromRoomId);
      const input = changeRoomInput.parse({ stayId, roomId: row.roomId, confirmDirty: true });
      return (await changeRoomIn(scope, tx, input)).stayId;
    }
  }
}

/**
 * Enters one act that the desk did by hand while the server was off, unless something speaks against it. A check-in
 * begins at its time on paper; a check-out and a room change happen now, and the audit has their time on paper. A
 * deposit settles what is owed, as at the desk; the rest of either stays. @throws no_permission, and what the act itself throws
 */
export async function applyPaperRow(scope: Scope, row: PaperRow): Promise<RowApplied> {
  scope.require("stays.manage");
  const [conflicts = []] = await checkPaperRows(scope, [row]);
  if (conflicts.length > 0) return { stayId: null, conflicts };
  const stayId = await scope.write(async (tx) => {
    const id = await actOn(scope, tx, row);
    tx.audit({
      action: "stay.after_outage",
      entity: "stay",
      entityId: id,
      after: { act: row.act, at: row.act === "check_in" ? row.startsAt : row.at },
    });
    return id;
  });
  return { stayId, conflicts: [] };
}
