import type { BoardRoom } from "@innkey/shared/schemas/property/rooms";
import { endOfDay, ROOM_NOW } from "../../../property/public.ts";
import type { ExportList } from "../columns.ts";

type Row = BoardRoom & { groupName: string | null };

/** The board's rooms in the order of $5, the ids that the browser shows, or all of them if it is null. */
const ROOMS = `WITH ${ROOM_NOW}
  SELECT n.*, g.name AS "groupName" FROM room_now n LEFT JOIN room_group g ON g.hotel_id = $1 AND g.id = n."groupId"
  WHERE $5::int[] IS NULL OR n.id = ANY ($5::int[])
  ORDER BY array_position($5::int[], n.id), g.sort NULLS LAST, g.name, n.sort, n.name, n.id`;

/** Returns the party in a room, else the next one. */
const party = ({ current, next }: Row): BoardRoom["current"] => current ?? next;

export const roomsList: ExportList<"rooms", Row> = {
  query(scope, { ids }) {
    const now = scope.now().toISOString();
    return { text: ROOMS, values: [now, endOfDay(now, scope.hotel.timeZone), scope.roomIds, ids ?? null] };
  },
  columns: {
    name: ({ name }) => name,
    remarkName: ({ remarkName }) => remarkName,
    group: ({ groupName }) => groupName,
    floor: ({ floor }) => floor,
    status: ({ status }, { t }) => t(`status.${status}`),
    guest: (row, { scope }) => (scope.can("stays.view") ? (party(row)?.guestName ?? null) : null),
    arrival: (row) => party(row)?.startsAt ?? null,
    departure: (row) => party(row)?.endsAt ?? null,
    price: ({ usualMinor }) => usualMinor,
    currency: (_row, { scope }) => scope.hotel.currency,
    lock: ({ lock }, { t }) =>
      t(
        lock === null
          ? "room.noLock"
          : !lock.setUp
            ? "room.notConnected"
            : lock.online
              ? "room.online"
              : "room.offline",
      ),
    power: ({ lock }) => lock?.power ?? null,
  },
};
