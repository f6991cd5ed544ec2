import { DomainError } from "@innkey/shared/errors";
import type * as schema from "@innkey/shared/schemas/stays/calendar-feeds";
import type { z } from "zod";
import { requireIntegrations, type Scope } from "../../../kernel/scope.ts";
import { calendarHash, newCalendarToken } from "./calendar-secrets.ts";

/** Where calendars are read (api/http/routes/calendars.routes.ts) */
export const CALENDAR_PATH = "/api/calendars/";

/** Returns the calendars of the hotel, live ones first, then newest first. @throws no_permission, feature_off */
export async function listCalendarFeeds(scope: Scope): Promise<schema.CalendarFeedRow[]> {
  requireIntegrations(scope);
  return scope.sql.rows<schema.CalendarFeedRow>(
    `SELECT f.id, f.name, f.room_id AS "roomId", r.name AS "roomName", f.shows_names AS "showsNames",
        CASE WHEN f.revoked_at IS NOT NULL THEN 'revoked' WHEN r.deleted_at IS NOT NULL THEN 'ended' ELSE 'live' END AS state,
        iso(f.last_read_at) AS "lastReadAt", iso(f.created_at) AS "createdAt",
        (SELECT name FROM operator WHERE id = f.created_by_id) AS "operatorName"
      FROM calendar_feed f LEFT JOIN room r ON r.id = f.room_id
      WHERE f.hotel_id = $1
      ORDER BY f.revoked_at IS NOT NULL, r.deleted_at IS NOT NULL, f.created_at DESC, f.id DESC LIMIT 1000`,
  );
}

/**
 * Makes a calendar of the busy periods of a room or of all rooms; only this answer contains its secret. Guests' names
 * leave the hotel only if the caller may manage their data. @throws no_permission, feature_off; not_found for a room
 */
export async function makeCalendarFeed(
  scope: Scope,
  { name, roomId, showsNames }: z.infer<typeof schema.makeCalendarFeedInput>,
): Promise<z.infer<typeof schema.calendarFeedMade>> {
  requireIntegrations(scope);
  if (showsNames) scope.require("privacy.manage");
  const token = newCalendarToken();
  return scope.write(async (tx) => {
    const { hotelId, operatorId: createdById } = scope;
    if (roomId !== null && !(await tx.db.room.findFirst({ where: { id: roomId, deletedAt: null } }))) {
      throw new DomainError("not_found");
    }
    const own = { name, roomId, showsNames };
    const { id } = await tx.db.calendarFeed.create({
      data: { hotelId, ...own, tokenHash: calendarHash(token), createdById, createdAt: scope.now() },
      select: { id: true },
    });
    tx.audit({ action: "calendarFeed.make", entity: "calendarFeed", entityId: id, after: own });
    return { id, path: `${CALENDAR_PATH}${token}.ics` };
  });
}

/** Ends a calendar at once. @throws no_permission, feature_off, not_found; state_conflict if it was revoked before */
export async function revokeCalendarFeed(
  scope: Scope,
  { id }: z.infer<typeof schema.calendarFeedRef>,
): Promise<z.infer<typeof schema.calendarFeedRef>> {
  requireIntegrations(scope);
  return scope.write(async (tx) => {
    const feed = await tx.db.calendarFeed.findFirst({ where: { id }, select: { name: true } });
    if (!feed) throw new DomainError("not_found");
    const { count } = await tx.db.calendarFeed.updateMany({
      where: { id, revokedAt: null },
      data: { revokedAt: scope.now() },
    });
    if (count === 0) throw new DomainError("state_conflict", { state: "revoked" });
    tx.audit({ action: "calendarFeed.revoke", entity: "calendarFeed", entityId: id, before: feed });
    return { id };
  });
}
