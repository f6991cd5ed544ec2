import { DomainError } from "@innkey/shared/errors";
import { addDays, atLocal, businessDate } from "@innkey/shared/hotel-time";
import { restOf, totalOf } from "@innkey/shared/price-rules";
import type * as schema from "@innkey/shared/schemas/stays/stays";
import type { z } from "zod";
import type { HotelSql } from "../../kernel/hotel-database.ts";
import type { Scope } from "../../kernel/scope.ts";
import { masked } from "../../kernel/transaction.ts";
import { endAccess } from "../access/public.ts";
import {
  entriesSince,
  lastEntryOf,
  payoutChannel,
  readAccount,
  refundAll,
  refundRoom,
  returnCredit,
} from "../folio/public.ts";
import { announceStay } from "../messaging/public.ts";
import { endReservation, type LiveStay, readLines, readStay, selectStayForUpdate } from "../stays/public.ts";

type Charge = z.infer<typeof schema.noShowInput>["charge"];

/** Returns what a stay that didn't come would still be charged for the room, and at most what it is charged. */
async function readRemainingCharge(scope: Scope, sql: HotelSql, stay: LiveStay, charge: Charge): Promise<number> {
  if (charge === "nothing") return 0;
  const { roomChargedMinor } = await readAccount(sql, stay.id);
  if (charge === "everything") return roomChargedMinor;
  const { timeZone, dayStartTime } = scope.hotel;
  const secondNight = atLocal(addDays(businessDate(stay.startsAt, timeZone, dayStartTime), 1), dayStartTime, timeZone);
  const lines = await readLines(sql, stay.id);
  return Math.max(0, Math.min(roomChargedMinor, totalOf(lines) - totalOf(restOf(lines, secondNight, scope.hotel))));
}

/** Returns what each choice would leave charged. @throws no_permission, not_found; state_conflict unless reserved */
export async function noShowQuote(
  scope: Scope,
  { stayId }: z.infer<typeof schema.stayRef>,
): Promise<z.infer<typeof schema.noShowQuote>> {
  scope.require("stays.manage");
  const stay = await readStay(scope, scope.sql, stayId);
  if (stay.state !== "reserved") throw new DomainError("state_conflict", { state: stay.state });
  const { chargedMinor, roomChargedMinor } = await readAccount(scope.sql, stayId);
  return {
    firstNightMinor: await readRemainingCharge(scope, scope.sql, stay, "first_night"),
    everythingMinor: await readRemainingCharge(scope, scope.sql, stay, "everything"),
    othersMinor: chargedMinor - roomChargedMinor,
  };
}

/**
 * Records that the guests of a reservation didn't come: the room is free at once and the keys are revoked, as if it
 * was cancelled. Of the room's price the hotel keeps what `charge` says; with "nothing" everything else is cancelled
 * too. What was paid beyond that goes back through `refundChannel`, or remains the guest's credit. @throws not_due_yet
 * before the planned arrival
 */
export async function markNoShow(scope: Scope, input: z.infer<typeof schema.noShowInput>): Promise<{ stayId: number }> {
  scope.require("stays.manage");
  const refundChannel = payoutChannel(scope, input.refundChannel);
  return scope.write(async (tx) => {
    const stay = await selectStayForUpdate(scope, tx, input.stayId, "reserved");
    if (Date.parse(stay.startsAt) > scope.now().getTime()) throw new DomainError("not_due_yet");
    const last = await lastEntryOf(tx, stay.id);
    const { roomChargedMinor } = await readAccount(tx.sql, stay.id);
    const remainingMinor = await readRemainingCharge(scope, tx.sql, stay, input.charge);
    let refundMinor = 0;
    if (input.charge === "nothing") refundMinor = await refundAll(scope, tx, stay.id, refundChannel);
    else if (roomChargedMinor > remainingMinor) {
      refundMinor = await refundRoom(scope, tx, stay.id, roomChargedMinor - remainingMinor, refundChannel);
    }
    if (refundChannel) refundMinor += await returnCredit(scope, tx, stay.id, refundChannel);
    const { charge, reason } = input;
    const entryIds = await entriesSince(tx, stay.id, last);
    await endReservation(scope, tx, stay, { state: "no_show", entryIds, reason });
    await endAccess(scope, tx, stay, "cancelled");
    tx.audit({
      action: "stay.no_show",
      entity: "stay",
      entityId: stay.id,
      before: { roomId: stay.roomId, startsAt: stay.startsAt },
      after: { charge, remainingMinor, refundMinor, ...(reason && masked({ reason }, ["reason"])) },
    });
    await announceStay(scope, tx, "stay.no_show", stay.id);
    tx.boardChanged([stay.roomId]);
    return { stayId: stay.id };
  });
}
