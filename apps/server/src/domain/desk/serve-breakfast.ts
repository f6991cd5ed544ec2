import type { BreakfastDay, BreakfastTick, breakfastOfCard } from "@innkey/shared/schemas/stays/breakfast";
import type { z } from "zod";
import type { Scope } from "../../kernel/scope.ts";
import type { Transaction } from "../../kernel/transaction.ts";
import { cancelBreakfasts, chargeBreakfasts } from "../folio/public.ts";
import {
  type BreakfastMark,
  deleteTicks,
  insertTicks,
  readCardHolder,
  selectPartyForUpdate,
  selectServedForUpdate,
  setTicksEntry,
} from "../stays/public.ts";

/**
 * Marks guests as having had breakfast and charges it to their stays, or undoes both. A guest counts once a day however
 * often they are marked. Returns how many changed. @throws no_permission; invalid_input for a future date; not_found
 * for a guest without breakfast on that date
 */
export async function tickBreakfast(scope: Scope, input: BreakfastTick): Promise<{ changed: number }> {
  scope.require("breakfast.manage");
  return scope.write(async (tx) => {
    const day = await selectServedForUpdate(scope, tx, input);
    const marks = input.used ? await serve(scope, tx, day) : await takeBack(scope, tx, day);
    return { changed: marks.length };
  });
}

/**
 * Marks and charges the whole party of a room card for today when the card is read at the buffet. Cards of no in-house
 * party and of parties without breakfast get their own results. @throws no_permission
 */
export async function tickByCard(scope: Scope, number: string): Promise<z.infer<typeof breakfastOfCard>> {
  scope.require("breakfast.manage");
  return scope.write(async (tx) => {
    const holder = await readCardHolder(scope, tx.sql, number);
    if (!holder) return { roomName: null, party: 0, ticked: 0 };
    const day = await selectPartyForUpdate(scope, tx, holder.stayId);
    const ticked = day.guests.length === 0 ? [] : await serve(scope, tx, day);
    return { roomName: holder.roomName, party: day.guests.length, ticked: ticked.length };
  });
}

/** Marks the guests who are not marked yet. Each party gets one entry on its bill, unless breakfast is included. */
async function serve(scope: Scope, tx: Transaction, day: BreakfastDay): Promise<BreakfastMark[]> {
  const marks = await insertTicks(scope, tx, day);
  const { date, priceMinor: unitMinor } = day;
  if (unitMinor === 0) return marks;
  const marked = new Set(marks.map(({ stayGuestId }) => stayGuestId));
  const served = day.guests.filter(({ stayGuestId }) => marked.has(stayGuestId));
  for (const stayId of new Set(served.map((guest) => guest.stayId))) {
    const party = served.filter((guest) => guest.stayId === stayId).map(({ stayGuestId }) => stayGuestId);
    const entryId = await chargeBreakfasts(scope, tx, { stayId, date, quantity: party.length, unitMinor });
    await setTicksEntry(tx, party, date, entryId);
  }
  return marks;
}

/** Takes marks back, and what was charged for them. */
async function takeBack(scope: Scope, tx: Transaction, day: BreakfastDay): Promise<BreakfastMark[]> {
  const marks = await deleteTicks(tx, day);
  const charged = marks.flatMap(({ folioEntryId }) => folioEntryId ?? []);
  for (const entryId of new Set(charged)) {
    const quantity = charged.filter((id) => id === entryId).length;
    await cancelBreakfasts(scope, tx, { entryId, quantity });
  }
  return marks;
}
