import { uidCandidates } from "@innkey/shared/cards/uid";
import { DomainError } from "@innkey/shared/errors";
import type { LocalDate } from "@innkey/shared/hotel-time";
import type { BreakfastGuest, BreakfastTick, breakfastOfCard } from "@innkey/shared/schemas/stays/breakfast";
import type { z } from "zod";
import type { Scope } from "../../../kernel/scope.ts";
import type { Transaction } from "../../../kernel/transaction.ts";
import { breakfastOf, hotelToday } from "./breakfast.queries.ts";

/**
 * Marks guests as having had breakfast, or undoes that. A guest counts once a day however often they are marked.
 * Returns how many changed. @throws no_permission; invalid_input for a future date; not_found for a guest without
 * breakfast on that date
 */
export async function tick(scope: Scope, { date, stayGuestIds, used }: BreakfastTick): Promise<{ changed: number }> {
  scope.require("breakfast.manage");
  return scope.write(async (tx) => {
    const { guests, today } = await breakfastOf(scope, tx.sql, date);
    const requested = new Set(stayGuestIds);
    const chosen = guests.filter(({ stayGuestId }) => requested.has(stayGuestId));
    if (chosen.length !== requested.size) throw new DomainError("not_found");
    if (date > today) throw new DomainError("invalid_input", {}, { date: { key: "validation.date" } });
    const changed = used ? await tickOff(scope, tx, chosen, date) : await takeBack(tx, chosen, date);
    return { changed };
  });
}

/** Inserts marks; a guest marked concurrently by another desk keeps that desk's mark. */
async function tickOff(
  scope: Scope,
  tx: Transaction,
  guests: readonly BreakfastGuest[],
  date: LocalDate,
): Promise<number> {
  const rows = await tx.sql.rows<{ id: number }>(
    `INSERT INTO breakfast (hotel_id, stay_guest_id, date, used_at, operator_id)
     SELECT $1, id, $3::date, $4::timestamptz, $5::int FROM unnest($2::int[]) AS id ORDER BY id
     ON CONFLICT (stay_guest_id, date) DO NOTHING RETURNING stay_guest_id AS id`,
    guests.map(({ stayGuestId }) => stayGuestId),
    date,
    scope.now(),
    scope.operatorId,
  );
  return auditTicks(tx, "breakfast.tick", guests, rows, date);
}

async function takeBack(tx: Transaction, guests: readonly BreakfastGuest[], date: LocalDate): Promise<number> {
  const rows = await tx.sql.rows<{ id: number }>(
    `DELETE FROM breakfast WHERE hotel_id = $1 AND stay_guest_id = ANY ($2::int[]) AND date = $3::date
     RETURNING stay_guest_id AS id`,
    guests.map(({ stayGuestId }) => stayGuestId),
    date,
  );
  return auditTicks(tx, "breakfast.untick", guests, rows, date);
}

function auditTicks(
  tx: Transaction,
  action: "breakfast.tick" | "breakfast.untick",
  guests: readonly BreakfastGuest[],
  changed: readonly { id: number }[],
  date: LocalDate,
): number {
  const ids = new Set(changed.map(({ id }) => id));
  for (const { stayGuestId, roomName } of guests.filter((guest) => ids.has(guest.stayGuestId))) {
    tx.audit({ action, entity: "stayGuest", entityId: stayGuestId, after: { date, roomName } });
  }
  return ids.size;
}

/**
 * Marks the whole party of a room card for today when the card is read at the buffet. Cards of no in-house party and of
 * parties without breakfast get their own results. @throws no_permission
 */
export async function tickByCard(scope: Scope, number: string): Promise<z.infer<typeof breakfastOfCard>> {
  scope.require("breakfast.manage");
  return scope.write(async (tx) => {
    const [holder] = await tx.sql.rows<{ stayId: number; roomName: string }>(
      `SELECT c.stay_id AS "stayId", r.name AS "roomName"
         FROM card c
         JOIN occupancy o ON o.hotel_id = c.hotel_id AND o.stay_id = c.stay_id AND o.state = 'in_house'
         JOIN room r ON r.hotel_id = o.hotel_id AND r.id = o.room_id
        WHERE c.hotel_id = $1 AND c.uid = ANY ($2::text[]) AND c.state IN ('pending', 'active')
          AND ($3::int[] IS NULL OR r.id = ANY ($3::int[]))
        ORDER BY array_position($2::text[], c.uid), c.id DESC LIMIT 1`,
      uidCandidates(number),
      scope.roomIds,
    );
    if (!holder) return { roomName: null, party: 0, ticked: 0 };
    const today = hotelToday(scope);
    const { guests } = await breakfastOf(scope, tx.sql, today);
    const party = guests.filter(({ stayId }) => stayId === holder.stayId);
    const ticked = party.length === 0 ? 0 : await tickOff(scope, tx, party, today);
    return { roomName: holder.roomName, party: party.length, ticked };
  });
}
