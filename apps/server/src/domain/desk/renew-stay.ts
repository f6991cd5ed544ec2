import { totalOf } from "@innkey/shared/price-rules";
import type * as schema from "@innkey/shared/schemas/stays/stays";
import type { z } from "zod";
import type { Scope } from "../../kernel/scope.ts";
import type { Transaction } from "../../kernel/transaction.ts";
import { adjustAccess, endKeysOfOthers } from "../access/public.ts";
import { chargeEntries, postEntry, readAccount } from "../folio/public.ts";
import { announceStay } from "../messaging/public.ts";
import {
  checkCharged,
  checkExpected,
  checkRenewal,
  type OfStay,
  priceRenewal,
  readLines,
  selectRoomForUpdate,
  selectStayForUpdate,
  setDeparture,
  withStayId,
} from "../stays/public.ts";

/**
 * Moves the planned departure later; only nights that aren't charged yet are added. @throws room_taken, price_changed
 */
export async function renewIn(
  scope: Scope,
  tx: Transaction,
  input: z.infer<typeof schema.renewInput>,
): Promise<z.infer<typeof schema.renewed>> {
  const stay = await selectStayForUpdate(scope, tx, input.stayId, "reserved", "checked_in");
  checkRenewal(scope, stay, input.endsAt);
  const room = await selectRoomForUpdate(scope, tx.sql, stay.roomId);
  const charged = await readLines(tx.sql, stay.id);
  const stayUnit = input.unit ?? stay.unit;
  const lines = priceRenewal(room, { ...stay, charged }, input.endsAt, stayUnit, scope.hotel, input.agreedTotalMinor);
  const totalMinor = totalOf(lines);
  checkExpected(input.expectedTotalMinor, totalMinor);
  checkCharged((await readAccount(tx.sql, stay.id)).chargedMinor + totalMinor);
  await setDeparture(tx, stay, input.endsAt);
  await adjustAccess(scope, tx, { ...stay, endsAt: input.endsAt });
  const { id: stayId, roomId } = stay;
  if (stay.state === "checked_in") await endKeysOfOthers(scope, tx, { stayId, roomId, endsAt: new Date(input.endsAt) });
  const entryId =
    lines.length === 0
      ? null
      : await postEntry(scope, tx, {
          stayId: stay.id,
          type: "renewal",
          amountMinor: totalMinor,
          channel: input.channel,
          lines: lines.map((line) => ({ ...line, occupancyId: stay.occupancyId })),
          entries: chargeEntries(totalMinor, input.channel),
        });
  tx.audit({
    action: "stay.renew",
    entity: "stay",
    entityId: stay.id,
    before: { endsAt: stay.endsAt },
    after: { endsAt: input.endsAt, totalMinor },
  });
  await announceStay(scope, tx, "stay.renewed", stay.id, { previousEndsAt: stay.endsAt });
  tx.boardChanged([stay.roomId]);
  return { stayId: stay.id, entryId, totalMinor, endsAt: input.endsAt };
}

/**
 * Moves the planned departure later; only nights that aren't charged yet are added. @throws room_taken, price_changed
 */
export async function renew(
  scope: Scope,
  input: OfStay<z.infer<typeof schema.renewInput>>,
): Promise<z.infer<typeof schema.renewed>> {
  scope.require("stays.manage");
  if (input.agreedTotalMinor !== null) scope.require("prices.agree");
  const renewal = await withStayId<z.infer<typeof schema.renewInput>>(scope, input);
  return scope.write((tx) => renewIn(scope, tx, renewal));
}
