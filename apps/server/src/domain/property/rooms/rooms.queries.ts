import { DomainError } from "@innkey/shared/errors";
import type { RoomPrices } from "@innkey/shared/quote";
import type { RoomDetail } from "@innkey/shared/schemas/rooms";
import type { Scope } from "../../../kernel/scope.ts";
import { ROOM_PRICES_JSON, withDateList } from "../prices/prices.queries.ts";
import { endOfDay } from "./hotel-day.ts";
import { ROOM_NOW } from "./room-now.ts";

const DETAIL = `WITH ${ROOM_NOW}
  SELECT n.*, r.description, r.bulletin, r.notice, g.name AS "groupName", r.picture_file_id AS "pictureFileId",
    CASE WHEN k.id IS NOT NULL THEN json_build_object('id', k.id, 'mac', k.mac, 'bluetoothName', k.bluetooth_name,
      'driver', k.driver, 'power', k.power, 'online', k.online, 'setUp', k.configured_at IS NOT NULL, 'firmware', k.firmware, 'lastSeenAt', iso(k.last_seen_at))
    END AS lock, ${ROOM_PRICES_JSON} AS prices
  FROM room_now n
  JOIN room r ON r.hotel_id = $1 AND r.id = n.id
  LEFT JOIN room_group g ON g.hotel_id = $1 AND g.id = r.group_id
  LEFT JOIN lock k ON k.hotel_id = $1 AND k.room_id = r.id`;

type DetailRow = Omit<RoomDetail, "prices"> & { prices: RoomPrices | null };

/** Returns one room with its lock, prices and current status. @throws no_permission, not_found */
export async function detail(scope: Scope, roomId: number): Promise<RoomDetail> {
  scope.require("rooms.view");
  scope.requireRoom(roomId);
  const now = scope.now().toISOString();
  const [room] = await scope.sql.rows<DetailRow>(DETAIL, now, endOfDay(now, scope.hotel.timeZone), [roomId]);
  if (!room) throw new DomainError("not_found");
  return { ...room, prices: room.prices && withDateList(room.prices) };
}
