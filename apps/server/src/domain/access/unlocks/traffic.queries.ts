import { DomainError } from "@innkey/shared/errors";
import { addDays, addMonths, atLocal, daysBetween } from "@innkey/shared/hotel-time";
import type { Traffic, trafficInput } from "@innkey/shared/schemas/access/unlocks";
import type { z } from "zod";
import type { Scope } from "../../../kernel/scope.ts";

/**
 * $2 and $3: period, $4: time zone, $5: field of the local time, $6 and $7: its range, $8: rooms (null: all), $9: room
 * that must exist (null: none).
 */
const TRAFFIC = `
  SELECT b.bucket, coalesce(t.opened, 0) AS opened, coalesce(t.refused, 0) AS refused
  FROM generate_series($6::int, $7::int) AS b (bucket)
  LEFT JOIN (
    SELECT date_part($5::text, u.at AT TIME ZONE $4::text)::int AS bucket, count(*) FILTER (WHERE u.success)::int AS opened,
      count(*) FILTER (WHERE NOT u.success AND (u.style <> 'unknown' OR u.reason <> ''))::int AS refused
    FROM unlock_record u
    WHERE u.hotel_id = $1 AND u.at >= $2::timestamptz AND u.at < $3::timestamptz
      AND ($8::int[] IS NULL OR u.room_id = ANY ($8::int[]))
    GROUP BY 1
  ) t USING (bucket)
  WHERE $9::int IS NULL OR EXISTS (SELECT FROM room WHERE hotel_id = $1 AND id = $9::int)
  ORDER BY 1`;

/**
 * Counts opened and refused attempts in each local hour of a day, or day of a month. A local hour that occurs twice
 * counts both; one that is skipped is empty. Alarms are not attempts and don't count. @throws no_permission, not_found
 */
export async function traffic(scope: Scope, input: z.infer<typeof trafficInput>): Promise<Traffic> {
  scope.require("unlocks.view");
  const { roomId, date, span } = input;
  if (roomId !== null) scope.requireRoom(roomId);
  const { timeZone } = scope.hotel;
  const first = span === "day" ? date : `${date.slice(0, 7)}-01`;
  const next = span === "day" ? addDays(date, 1) : addMonths(first, 1);
  const buckets = await scope.sql.prepared<Traffic["buckets"][number]>(
    "traffic",
    TRAFFIC,
    atLocal(first, "00:00", timeZone),
    atLocal(next, "00:00", timeZone),
    timeZone,
    span === "day" ? "hour" : "day",
    span === "day" ? 0 : 1,
    span === "day" ? 23 : daysBetween(first, next),
    roomId === null ? scope.roomIds : [roomId],
    roomId,
  );
  if (buckets.length === 0) throw new DomainError("not_found");
  return { buckets };
}
