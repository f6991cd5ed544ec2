import { DomainError } from "@innkey/shared/errors";
import { settleAtCheckOut } from "@innkey/shared/folio";
import { totalOf, unusedOf } from "@innkey/shared/price-rules";
import type * as schema from "@innkey/shared/schemas/stays/stays";
import type { z } from "zod";
import type { Scope } from "../../kernel/scope.ts";
import type { Transaction } from "../../kernel/transaction.ts";
import { endAccess } from "../access/public.ts";
import {
  entriesSince,
  keepDeposits,
  lastEntryOf,
  mayReturnDeposits,
  payoutChannel,
  readAccount,
  refundRoom,
  returnCredit,
  returnDeposits,
  settle,
  settleFromDeposits,
} from "../folio/public.ts";
import { announceStay } from "../messaging/public.ts";
import { markRoomDirty, statusNow } from "../property/public.ts";
import {
  checkOutStay,
  type LiveStay,
  type OfStay,
  readLines,
  selectStayForUpdate,
  withStayId,
} from "../stays/public.ts";

/** Ends the stay now, settles its folio and marks the room for cleaning. @throws unpaid until paid or confirmed */
export async function checkOutIn(
  scope: Scope,
  tx: Transaction,
  input: schema.CheckOutInput,
): Promise<z.infer<typeof schema.checkedOut>> {
  const now = scope.now();
  const stay = await selectStayForUpdate(scope, tx, input.stayId, "checked_in");
  const before = await lastEntryOf(tx, stay.id);
  const money = await settleCheckOut(scope, tx, stay, input);
  if (money.owedMinor > 0 && !input.confirmUnpaid) {
    throw new DomainError("unpaid", { amountMinor: money.owedMinor, roomName: stay.roomName });
  }
  const entryIds = await entriesSince(tx, stay.id, before);
  await checkOutStay(scope, tx, stay, entryIds);
  await endAccess(scope, tx, stay, "checked_out");
  await markRoomDirty(tx, stay.roomId);
  const reason = input.keepDeposit ? { keepDepositReason: input.keepDeposit.reason } : {};
  tx.audit({
    action: "stay.check_out",
    entity: "stay",
    entityId: stay.id,
    before: { roomId: stay.roomId, endsAt: stay.endsAt },
    after: { checkedOutAt: now.toISOString(), ...money, ...reason },
  });
  await announceStay(scope, tx, "stay.checked_out", stay.id);
  tx.boardChanged([stay.roomId]);
  const entryId = entryIds.at(-1) ?? (await lastEntryOf(tx, stay.id, "room"));
  const roomStatus = await statusNow(scope, tx.sql, stay.roomId);
  return { stayId: stay.id, roomId: stay.roomId, entryId, roomStatus, ...money };
}

type CheckOutMoney = Pick<
  z.infer<typeof schema.checkedOut>,
  "paidMinor" | "refundMinor" | "depositUsedMinor" | "depositKeptMinor" | "depositHeldMinor" | "owedMinor"
>;

/** Settles the folio by the rule that the console showed beforehand. */
async function settleCheckOut(
  scope: Scope,
  tx: Transaction,
  stay: LiveStay,
  input: schema.CheckOutInput,
): Promise<CheckOutMoney> {
  let account = await readAccount(tx.sql, stay.id);
  const settlement = settleAtCheckOut(account, {
    refundUnusedMinor: input.refundUnusedMinor,
    channel: input.channel,
    useDeposit: input.useDeposit ?? true,
    keepDepositMinor: input.keepDeposit?.amountMinor ?? 0,
    refundDeposit: input.refundDeposit ?? mayReturnDeposits(scope),
  });
  const refundChannel = payoutChannel(scope, input.refundChannel);
  let refundMinor = 0;
  if (input.refundUnusedMinor > 0) {
    const unused = totalOf(unusedOf(await readLines(tx.sql, stay.id), scope.now().toISOString(), scope.hotel));
    if (input.refundUnusedMinor > unused) throw new DomainError("refund_too_large", { leftMinor: Math.max(0, unused) });
    refundMinor += await refundRoom(scope, tx, stay.id, input.refundUnusedMinor, refundChannel);
    account = await readAccount(tx.sql, stay.id);
  }
  if (refundChannel && account.owedMinor < 0) refundMinor += await returnCredit(scope, tx, stay.id, refundChannel);
  const { depositUsedMinor, depositKeptMinor } = settlement;
  await settleFromDeposits(scope, tx, stay.id, depositUsedMinor);
  const paidMinor = input.channel && account.owedMinor > 0 ? await settle(scope, tx, stay.id, input.channel) : 0;
  if (input.keepDeposit && depositKeptMinor < input.keepDeposit.amountMinor) {
    throw new DomainError("invalid_input", {}, { "keepDeposit.amountMinor": { key: "validation.moreThanDeposit" } });
  }
  if (input.keepDeposit) await keepDeposits(scope, tx, stay.id, input.keepDeposit);
  if (settlement.depositRefundMinor > 0) refundMinor += await returnDeposits(scope, tx, stay.id);
  const { owedMinor, depositHeldMinor } = await readAccount(tx.sql, stay.id);
  return { paidMinor, refundMinor, depositUsedMinor, depositKeptMinor, depositHeldMinor, owedMinor };
}

/** Ends the stay now, settles its folio and marks the room for cleaning. @throws unpaid until paid or confirmed */
export async function checkOut(
  scope: Scope,
  input: OfStay<schema.CheckOutInput>,
): Promise<z.infer<typeof schema.checkedOut>> {
  scope.require("stays.manage");
  if (input.refundUnusedMinor > 0) scope.require("folio.refund");
  const departure = await withStayId<schema.CheckOutInput>(scope, input);
  return scope.write((tx) => checkOutIn(scope, tx, departure));
}
