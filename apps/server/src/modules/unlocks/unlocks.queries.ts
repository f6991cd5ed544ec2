import { UnlockStyle } from "@innkey/shared/enums";
import { DomainError } from "@innkey/shared/errors";
import type { UnlockRecord, UnlockRecordsInput, UnlockRecordsOutput } from "@innkey/shared/schemas/rooms";
import type { Scope } from "../../core/scope.ts";

/**
 * Newest first, by keyset over (at, id): the hundredth page costs what the first does. The join from the room makes a
 * room without records one empty row, and a room that isn't there none.
 */
const RECORDS = `
  SELECT u.id::text AS id, iso(u.at) AS at, u.style::text AS style, u.success, u.content, u.source,
    o.name AS "operatorName", g.name AS "guestName"
  FROM room r
  LEFT JOIN LATERAL (
    SELECT * FROM unlock_record
    WHERE hotel_id = $1 AND room_id = r.id
      AND ($3::timestamptz IS NULL OR at >= $3::timestamptz)
      AND ($4::timestamptz IS NULL OR at < $4::timestamptz)
      AND ($5::unlock_style IS NULL OR style = $5::unlock_style)
      AND ($6::timestamptz IS NULL OR (at, id) < ($6::timestamptz, $7::bigint))
    ORDER BY at DESC, id DESC LIMIT $8::int
  ) u ON true
  LEFT JOIN operator o ON o.id = u.operator_id
  LEFT JOIN stay_guest sg ON sg.hotel_id = $1 AND sg.id = u.stay_guest_id
  LEFT JOIN guest g ON g.hotel_id = $1 AND g.id = sg.guest_id
  WHERE r.hotel_id = $1 AND r.id = $2::int
  ORDER BY u.at DESC, u.id DESC`;

/**
 * What the lock of a room reported, newest first; `from` inclusive, `to` exclusive.
 * @throws no_permission, not_found; invalid_input for a style or a cursor that isn't one
 */
export async function list(scope: Scope, input: UnlockRecordsInput): Promise<UnlockRecordsOutput> {
  scope.require("unlocks.view");
  scope.requireRoom(input.roomId);
  const { from = null, to = null, limit } = input;
  const after = input.cursor === undefined ? null : cursorOf(input.cursor);
  const rows = await scope.sql.rows<UnlockRecord | { id: null }>(
    RECORDS,
    input.roomId,
    from,
    to,
    input.style === undefined ? null : styleOf(input.style),
    after?.at ?? null,
    after?.id ?? null,
    limit + 1,
  );
  if (rows.length === 0) throw new DomainError("not_found");
  const found = rows.filter((row): row is UnlockRecord => row.id !== null);
  const records = found.slice(0, limit);
  const last = records.at(-1);
  return { records, nextCursor: found.length > limit && last ? cursorTo(last) : null };
}

function styleOf(style: string): UnlockStyle {
  const known = UnlockStyle.safeParse(style);
  if (!known.success) throw new DomainError("invalid_input", {}, { style: { key: "validation.choice" } });
  return known.data;
}

/** Opaque to the caller: the instant and id of the last record shown. */
function cursorTo({ at, id }: UnlockRecord): string {
  return Buffer.from(`${at} ${id}`).toString("base64url");
}

function cursorOf(cursor: string): { at: string; id: string } {
  const [, at, id] =
    /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z) (\d{1,18})$/.exec(Buffer.from(cursor, "base64url").toString()) ?? [];
  if (at === undefined || id === undefined || Number.isNaN(Date.parse(at))) {
    throw new DomainError("invalid_input", {}, { cursor: { key: "validation.unknown" } });
  }
  return { at, id };
}
