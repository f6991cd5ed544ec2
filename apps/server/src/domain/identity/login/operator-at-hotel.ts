import type { Role } from "@innkey/shared/enums";
import type { Due } from "@innkey/shared/schemas/identity/auth";
import { actorOf, type Channel, type HotelContext, type Scope, type ScopeFactory } from "../../../kernel/scope.ts";
import { ASKS_SECOND_FACTOR, HAS_SECOND_FACTOR } from "../two-step/factors.ts";
import type { Visitor } from "./visitor.ts";

/** Hotel with the version of its board, as requests need it. */
export interface HotelWithBoard extends HotelContext {
  boardVersion: string;
}

/** Columns of a HotelWithBoard over the aliases h (hotel) and hs (hotel_state). */
export const hotelColumns = `h.id, h.name, h.time_zone AS "timeZone", h.currency, h.language,
  h.check_in_time AS "checkInTime", h.check_out_time AS "checkOutTime", h.day_start_time AS "dayStartTime",
  h.weekend_nights AS "weekendNights", h.access_early_minutes AS "accessEarlyMinutes",
  h.access_late_minutes AS "accessLateMinutes", hs.board_version::text AS "boardVersion"`;

/** Operator in one hotel, as one row with all that is needed to open their scope. */
export interface OperatorAtHotel extends HotelWithBoard {
  operatorId: number;
  operatorName: string;
  /** null without a membership, for example after it was removed */
  role: Role | null;
  capabilities: string[];
  apiKeyAuth: boolean;
  frozen: boolean;
  /** A colleague set their current password, so they must choose another. */
  passwordDue: boolean;
  /** The hotel requires a second factor, and they have none. */
  twoStepDue: boolean;
  roomIds: number[];
}

/**
 * Columns of an OperatorAtHotel over the aliases o (operator), m (membership), h (hotel) and hs (hotel_state);
 * `now` is the parameter with the current time, which decides the room grants in force.
 */
export const operatorAtHotelColumns = (now: string): string => `
  o.id AS "operatorId", o.name AS "operatorName", m.role, coalesce(m.capabilities, '{}') AS capabilities,
  coalesce(m.api_key_auth, false) AS "apiKeyAuth", m.frozen_at IS NOT NULL AS frozen,
  o.password_set_by_other AS "passwordDue",
  coalesce(${ASKS_SECOND_FACTOR}, false) AND NOT ${HAS_SECOND_FACTOR} AS "twoStepDue",
  CASE WHEN m.role = 'staff' THEN ARRAY(
    SELECT g.room_id FROM room_grant g WHERE g.membership_id = m.id
      AND (g.starts_at IS NULL OR g.starts_at <= ${now}) AND is_live_grant(g.ends_at, ${now}))
    ELSE '{}' END AS "roomIds",
  ${hotelColumns}`;

/**
 * Returns what the person must do before anything else. Only the console asks for a new password, because old clients
 * and programs have no page to choose one.
 */
export function dueOf({ passwordDue, twoStepDue }: OperatorAtHotel, channel: Channel): Due | null {
  if (passwordDue && channel === "console") return "password";
  return twoStepDue ? "two_step" : null;
}

export function hotelOf(row: HotelContext): HotelContext {
  const { id, name, currency, language, checkInTime, checkOutTime, timeZone, dayStartTime, weekendNights } = row;
  const { accessEarlyMinutes, accessLateMinutes } = row;
  return {
    ...{ id, name, currency, language, checkInTime, checkOutTime, timeZone, dayStartTime, weekendNights },
    ...{ accessEarlyMinutes, accessLateMinutes },
  };
}

/** Opens the operator's scope in the hotel; null without an active membership. */
export function scopeOf(row: OperatorAtHotel, visitor: Visitor, openScope: ScopeFactory): Scope | null {
  if (row.role === null || row.frozen) return null;
  const actor = actorOf({ ...row, name: row.operatorName, role: row.role });
  const { language, channel, address, requestId } = visitor;
  return openScope({ actor, hotel: hotelOf(row), language, channel, address, requestId });
}
