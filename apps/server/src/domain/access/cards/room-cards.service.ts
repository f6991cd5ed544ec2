import { DomainError } from "@innkey/shared/errors";
import type * as schema from "@innkey/shared/schemas/access/cards";
import type { z } from "zod";
import type { Scope } from "../../../kernel/scope.ts";
import type { Transaction } from "../../../kernel/transaction.ts";
import { type LiveStay, selectStayForUpdate } from "../../stays/public.ts";
import { accessWindow } from "../credentials/access-window.ts";
import { overlapping } from "./card-sequence.ts";
import { makeGuestCard } from "./guest-card.ts";
import { issuePeriod } from "./record-period.ts";

type RoomCard = z.infer<typeof schema.prepareRoomCardInput>;

/**
 * Makes the record for a guest's card for one room and a period, for callers that name a room instead of a stay: the
 * compatibility layer's `cardEncryption` and the gateway's `writeRoomCard`. If a party is in the room when the period
 * begins, or is due with a stay that covers it, the card belongs to that stay and ends with it at the latest. Otherwise
 * it has no stay and ends with its period. The card is only active once it was read back (`confirm` in
 * cards.service.ts). Written cards of the room for the same period keep working unless they are disabled. A card for a
 * future party must be rewritten if the room's sequence is raised before arrival; lists show that. @throws not_found
 * for a room the caller can't see; lock_missing, lock_reads_no_cards, card_in_use; invalid_input for a period that is
 * over, or for no period while the room is empty; stay_expired
 */
export async function prepareForRoom(scope: Scope, input: RoomCard): Promise<schema.PreparedCard> {
  scope.require("cards.issue");
  scope.requireRoom(input.roomId);
  const { uid, overwrite, note, roomId, disableOldCards } = input;
  return scope.write(async (tx) => {
    const room = await tx.db.room.findFirst({ where: { id: roomId, deletedAt: null }, select: { name: true } });
    if (!room) throw new DomainError("not_found");
    const stay = await partyFor(scope, tx, input);
    const period = issuePeriod(scope, stay ? periodInStay(scope, stay, input) : input);
    const lock = await tx.db.lock.findFirst({ where: { roomId }, select: { id: true } });
    const written = { kind: "guest" as const, lockNumber: lock?.id ?? 0 };
    return makeGuestCard(scope, tx, {
      ...{ uid, overwrite, note, stayId: stay?.id ?? null, roomId, roomName: room.name, period },
      disabled: disableOldCards ? { AND: [written, overlapping(period)] } : null,
    });
  });
}

/**
 * $2 is the room, $3 and $4 the period ($4 null: until the party leaves), $5 and $6 the hotel's minutes before and
 * after, $7 now. A party whose stay covers the period comes first, then the party that is in the room when the card
 * begins, because the card must not outlast that stay.
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

/** Returns the stay that the card is for, with its row locked; null if there is none. */
async function partyFor(
  scope: Scope,
  tx: Transaction,
  { roomId, validFrom, validTo }: RoomCard,
): Promise<LiveStay | null> {
  const { accessEarlyMinutes, accessLateMinutes } = scope.hotel;
  const now = scope.now().toISOString();
  const [party] = await tx.sql.rows<{ id: number }>(
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
  const stay = party ? await selectStayForUpdate(scope, tx, party.id, "reserved", "checked_in") : null;
  if (stay && validTo === null && stay.endsAt <= now) throw new DomainError("stay_expired");
  return stay;
}

/** A card for the whole stay includes the hotel's minutes before and after, like the stay's other keys. */
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
