import type { Role } from "@innkey/shared/enums";
import type { Due } from "@innkey/shared/schemas/auth";
import { actorOf, type Door, type HotelContext, type Scope } from "../../../kernel/scope.ts";
import type { ScopeFactory } from "../../../kernel/scope-factory.ts";
import { ASKS_SECOND_FACTOR, HAS_SECOND_FACTOR } from "../two-step/factors.ts";
import type { Visitor } from "./visitor.ts";

/** A hotel as whoever comes in needs it. */
export interface HotelAtDoor extends HotelContext {
  boardVersion: string;
}

/** Columns of a HotelAtDoor over the aliases h (hotel) and hs (hotel_state). */
export const hotelColumns = `h.id, h.name, h.time_zone AS "timeZone", h.currency, h.language,
  h.check_in_time AS "checkInTime", h.check_out_time AS "checkOutTime", h.day_start_time AS "dayStartTime",
  h.weekend_nights AS "weekendNights", h.access_early_minutes AS "accessEarlyMinutes",
  h.access_late_minutes AS "accessLateMinutes", hs.board_version::text AS "boardVersion"`;

/** An operator in one hotel, as one row: enough to open their scope there. */
export interface OperatorAtHotel extends HotelAtDoor {
  operatorId: number;
  operatorName: string;
  /** null: no membership (any more) */
  role: Role | null;
  capabilities: string[];
  apiKeyAuth: boolean;
  frozen: boolean;
  /** a colleague gave them the password that they have */
  passwordDue: boolean;
  /** the hotel asks a second factor of them, and they have none */
  twoStepDue: boolean;
  roomIds: number[];
}

/**
 * Columns of an OperatorAtHotel over the aliases o (operator), m (membership), h (hotel) and hs (hotel_state);
 * `now` names the parameter that says which room grants are in force.
 */
export const operatorAtHotelColumns = (now: string): string => `
  o.id AS "operatorId", o.name AS "operatorName", m.role, coalesce(m.capabilities, '{}') AS capabilities,
  coalesce(m.api_key_auth, false) AS "apiKeyAuth", m.frozen_at IS NOT NULL AS frozen,
  o.password_set_by_other AS "passwordDue",
  coalesce(${ASKS_SECOND_FACTOR}, false) AND NOT ${HAS_SECOND_FACTOR} AS "twoStepDue",
  CASE WHEN m.role = 'staff' THEN ARRAY(
    SELECT g.room_id FROM room_grant g WHERE g.membership_id = m.id
      AND (g.starts_at IS NULL OR g.starts_at <= ${now}) AND (g.ends_at IS NULL OR g.ends_at > ${now}))
    ELSE '{}' END AS "roomIds",
  ${hotelColumns}`;

/** What they have to do first. Old clients and programs have no page to choose a password on: a given one is good there. */
export function dueOf({ passwordDue, twoStepDue }: OperatorAtHotel, door: Door): Due | null {
  if (passwordDue && door === "console") return "password";
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

/** The operator's scope in that hotel; null without a live membership. */
export function scopeOf(row: OperatorAtHotel, visitor: Visitor, openScope: ScopeFactory): Scope | null {
  if (row.role === null || row.frozen) return null;
  const actor = actorOf({ ...row, name: row.operatorName, role: row.role });
  const { language, door, address, requestId } = visitor;
  return openScope({ actor, hotel: hotelOf(row), language, door, address, requestId });
}
