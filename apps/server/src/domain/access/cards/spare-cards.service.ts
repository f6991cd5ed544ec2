import { recordPeriod } from "@innkey/shared/cards/record";
import { addMonths, atLocal, localDate } from "@innkey/shared/hotel-time";
import type * as schema from "@innkey/shared/schemas/access/cards";
import type { z } from "zod";
import type { Scope } from "../../../kernel/scope.ts";
import type { Transaction } from "../../../kernel/transaction.ts";
import { selectRoomForUpdate } from "../../stays/public.ts";
import { requireOwnReader } from "../card-readers/card-readers.service.ts";
import { createGuestCard } from "./cards.service.ts";

/** Time of day at which spare cards end. */
const END_OF_SPARE = "12:00";

/**
 * Makes a guest's card for a room that lies in a sealed envelope until the console is away. It has a sequence of its own, so
 * the first time it opens the door it ends every earlier card, also where the lock has no network; the room's next card
 * has a higher one and ends it. It carries no records of zones, because nothing but their time ends those. @throws not_found for a
 * room that the caller can't see; lock_missing, lock_reads_no_cards, card_in_use, card_of_guest, card_of_house;
 * state_conflict when the room has no sequence left; reader_of_others for a reader that is bound to other people
 */
export async function prepareSpare(
  scope: Scope,
  { roomId, uid, overwrite, months, reader }: schema.PrepareSpareInput,
): Promise<z.infer<typeof schema.preparedSpare>> {
  scope.require("cards.master");
  scope.requireRoom(roomId);
  const { timeZone } = scope.hotel;
  const now = scope.now().toISOString();
  const end = atLocal(addMonths(localDate(now, timeZone), months), END_OF_SPARE, timeZone);
  return scope.write(async (tx) => {
    await requireOwnReader(scope, tx.sql, reader);
    const room = await selectRoomForUpdate(scope, tx.sql, roomId);
    const spareNumber = await nextNumber(tx, roomId, uid);
    const label = `${room.name}/${spareNumber}`;
    const card = await createGuestCard(scope, tx, {
      ...{ uid, overwrite, note: label, stayId: null, holderId: null, roomId, roomName: room.name },
      ...{ period: recordPeriod(now, end), zones: [], cardsToDisable: null, spareNumber },
    });
    return { ...card, label };
  });
}

/** Returns the number of a room's next envelope. A card whose writing failed keeps its number when it is written again. */
async function nextNumber(tx: Transaction, roomId: number, uid: string): Promise<number> {
  const { _max } = await tx.db.card.aggregate({
    where: { spareNumber: { not: null }, rooms: { some: { roomId } }, NOT: { uid, confirmedAt: null } },
    _max: { spareNumber: true },
  });
  return (_max.spareNumber ?? 0) + 1;
}

/**
 * The rooms whose locks read cards, with their spare cards. $2: now, $3: the caller's rooms. A card that ended is listed
 * until the room has a newer one, or until no door opens for it.
 */
const LIST = `
SELECT r.id AS "roomId", r.name AS "roomName",
  coalesce((array_agg(c.place ORDER BY c.number DESC) FILTER (WHERE c.place <> 'pending'))[1] IN ('void', 'used', 'expired')
    AND NOT bool_or(coalesce(c.place = 'sealed', false)), false) AS "needsCard",
  coalesce(json_agg(json_build_object('id', c.id, 'label', c.note, 'state', c.place, 'mayStillOpen', c.state = 'revoking',
    'validTo', iso(c.valid_to), 'usedAt', iso(c.used_at), 'createdAt', iso(c.created_at), 'operatorName', c.operator)
    ORDER BY c.number DESC, c.id DESC) FILTER (WHERE c.place IN ('pending', 'sealed') OR c.state <> 'revoked' AND c.place <> 'expired' OR c.newest), '[]') AS cards
FROM room r
JOIN lock l ON l.hotel_id = $1 AND l.room_id = r.id AND l.deleted_at IS NULL AND l.driver = 'mqtt'
LEFT JOIN LATERAL (
  SELECT s.id, s.note, s.state, s.valid_to, s.used_at, s.created_at, s.spare_number AS number, o.name AS operator,
    s.spare_number = max(s.spare_number) OVER () AS newest,
    CASE WHEN s.state = 'pending' THEN 'pending'
      WHEN s.state IN ('revoking', 'revoked') AND s.revoke_reason IN ('by_hand', 'lost') THEN 'revoked'
      WHEN s.used_at IS NOT NULL THEN 'used'
      WHEN s.state IN ('revoking', 'revoked') THEN 'void'
      WHEN s.valid_to <= $2::timestamptz THEN 'expired'
      WHEN s.lock_number <> l.id OR s.sequence < l.guest_floor THEN 'void'
      ELSE 'sealed' END AS place
  FROM card_room cr JOIN card s ON s.id = cr.card_id
  LEFT JOIN operator o ON o.id = s.issued_by_id
  WHERE cr.hotel_id = $1 AND cr.room_id = r.id AND s.spare_number IS NOT NULL AND (s.state = 'pending' OR s.confirmed_at IS NOT NULL)
) c ON true
WHERE r.hotel_id = $1 AND r.deleted_at IS NULL AND ($3::int[] IS NULL OR r.id = ANY ($3::int[]))
GROUP BY r.id ORDER BY r.sort, r.name`;

/** Returns the spare cards of the caller's rooms. @throws no_permission */
export async function listSpares(scope: Scope): Promise<schema.SpareCards> {
  scope.require("cards.master");
  const now = scope.now().toISOString();
  const rooms = await scope.sql.rows<schema.SpareCards["rooms"][number]>(LIST, now, scope.roomIds);
  return { hotelName: scope.hotel.name, timeZone: scope.hotel.timeZone, readAt: now, rooms };
}
