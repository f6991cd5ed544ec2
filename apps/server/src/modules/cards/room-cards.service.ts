import { DomainError } from "@innkey/shared/errors";
import type * as schema from "@innkey/shared/schemas/cards";
import type { z } from "zod";
import type { Scope } from "../../core/scope.ts";
import type { Unit } from "../../core/unit.ts";
import { accessWindow } from "../locks/access-window.ts";
import { type LiveStay, lockStay } from "../stays/live-stay.ts";
import { overlapping } from "./card-sequence.ts";
import { makeGuestCard } from "./guest-card.ts";
import { issuePeriod } from "./record-period.ts";

type RoomCard = z.infer<typeof schema.prepareRoomCardInput>;

/**
 * Makes the record for a guest's card for one room and a period, for those who name a room instead of a stay: the
 * compatibility layer's `cardEncryption` and the gateway's `writeRoomCard`. Of a party that is in the room when it begins,
 * or due in it with a stay that covers the period, it is that stay's card, and ends with it at the latest; else it is
 * nobody's in particular and ends with its period. Nothing is active until the card was read back (`confirm` in cards.service.ts). Written cards of the
 * room that open in the same period go on working, unless they are disabled. A card for a party yet to come has to be
 * written again if the room's cards are given a newer sequence before it comes; lists say so.
 * @throws not_found for a room the caller doesn't see; lock_missing, lock_reads_no_cards, card_in_use; invalid_input for a
 * period that is over, or none where nobody is in the room; stay_expired
 */
export async function prepareForRoom(scope: Scope, input: RoomCard): Promise<schema.PreparedCard> {
  scope.require("cards.issue");
  scope.requireRoom(input.roomId);
  const { uid, overwrite, note, roomId, disableOldCards } = input;
  return scope.write(async (unit) => {
    const room = await unit.db.room.findFirst({ where: { id: roomId, archivedAt: null }, select: { name: true } });
    if (!room) throw new DomainError("not_found");
    const stay = await partyFor(scope, unit, input);
    const period = issuePeriod(scope, stay ? periodInStay(scope, stay, input) : input);
    const lock = await unit.db.lock.findFirst({ where: { roomId }, select: { id: true } });
    const written = { kind: "guest" as const, lockNumber: lock?.id ?? 0 };
    return makeGuestCard(scope, unit, {
      ...{ uid, overwrite, note, stayId: stay?.id ?? null, roomId, roomName: room.name, period },
      disabled: disableOldCards ? { AND: [written, overlapping(period)] } : null,
    });
  });
}

/**
 * $2 the room, $3 and $4 the period ($4 null: until the party leaves), $5 and $6 the hotel's minutes before and after, $7
 * now. A party whose stay covers the period comes first; else it is theirs who are in the room when the card begins: a card
 * that outlasts their stay must not outlast them.
 */
const PARTY = `
SELECT s.id FROM occupancy o JOIN stay s ON s.id = o.stay_id
 WHERE o.hotel_id = $1 AND o.room_id = $2::int
   AND (o.state = 'in_house' AND ($4::timestamptz IS NULL OR $3::timestamptz <= greatest(s.ends_at, $7::timestamptz)
       OR s.ends_at + make_interval(mins => $6::int) >= $4::timestamptz)
     OR o.state = 'held' AND $4::timestamptz IS NOT NULL
       AND s.starts_at - make_interval(mins => $5::int) <= $3::timestamptz
       AND s.ends_at + make_interval(mins => $6::int) >= $4::timestamptz)
 ORDER BY ($4::timestamptz IS NULL OR s.ends_at + make_interval(mins => $6::int) >= $4::timestamptz) DESC,
   o.state = 'in_house' DESC, s.starts_at LIMIT 1`;

/** The party that the card is for, held; null if there is none. */
async function partyFor(scope: Scope, unit: Unit, { roomId, validFrom, validTo }: RoomCard): Promise<LiveStay | null> {
  const { accessEarlyMinutes, accessLateMinutes } = scope.hotel;
  const now = scope.now().toISOString();
  const [party] = await unit.sql.rows<{ id: number }>(
    PARTY,
    roomId,
    validFrom ?? now,
    validTo,
    accessEarlyMinutes,
    accessLateMinutes,
    now,
  );
  if (!party && validTo === null)
    throw new DomainError("invalid_input", {}, { validTo: { key: "validation.required" } });
  const stay = party ? await lockStay(scope, unit, party.id, "reserved", "checked_in") : null;
  if (stay && validTo === null && stay.endsAt <= now) throw new DomainError("stay_expired");
  return stay;
}

/** What is asked for the whole of a stay opens with the hotel's minutes before and after, as the stay's other keys do. */
function periodInStay(
  scope: Scope,
  stay: LiveStay,
  { validFrom, validTo }: Pick<RoomCard, "validFrom" | "validTo">,
): { validFrom: string | null; validTo: string } {
  const window = accessWindow(scope.hotel, stay);
  const whole = validTo === null || (validTo >= stay.endsAt && validTo <= window.validTo.toISOString());
  const early = validFrom !== null && validFrom <= stay.startsAt;
  return {
    validFrom: early ? window.validFrom.toISOString() : validFrom,
    validTo: whole ? window.validTo.toISOString() : validTo,
  };
}
