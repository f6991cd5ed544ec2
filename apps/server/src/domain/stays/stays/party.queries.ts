import { DomainError } from "@innkey/shared/errors";
import type { Scope } from "../../../kernel/scope.ts";

/** A guest and the stay they belong to. */
export interface PartyOfGuest {
  stayId: number;
  /** the party's current or last room */
  roomId: number;
  /** of that guest */
  name: string;
}

/**
 * Returns the stay for calls that name a guest but refer to the stay. It checks no permission: each operation on the
 * stay does. @throws not_found, also for a guest in a room the caller can't see
 */
export async function partyOfGuest(scope: Scope, stayGuestId: number): Promise<PartyOfGuest> {
  const [party] = await scope.sql.rows<PartyOfGuest>(
    `SELECT sg.stay_id AS "stayId", s.room_id AS "roomId", g.name FROM stay_guest sg JOIN guest g ON g.id = sg.guest_id
       JOIN stay_now s ON s.id = sg.stay_id
      WHERE sg.hotel_id = $1 AND sg.id = $2::int AND ($3::int[] IS NULL OR s.room_id = ANY ($3::int[]))`,
    stayGuestId,
    scope.roomIds,
  );
  if (!party) throw new DomainError("not_found");
  return party;
}
