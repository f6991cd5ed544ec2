import { MINUTE_MS } from "@innkey/shared/durations";
import { DomainError } from "@innkey/shared/errors";
import type { HotelContext, Scope } from "../../../kernel/scope.ts";
import type { Transaction } from "../../../kernel/transaction.ts";
import { selectStayForUpdate } from "../../stays/public.ts";

/**
 * Period in which the keys and codes of a stay work: the stay's period plus the hotel's buffers (source: domain rules,
 * Credentials).
 */
export interface AccessWindow {
  validFrom: Date;
  /** null: no end */
  validTo: Date | null;
}

export function accessWindow(
  hotel: Pick<HotelContext, "accessEarlyMinutes" | "accessLateMinutes">,
  stay: { startsAt: string; endsAt: string },
): { validFrom: Date; validTo: Date } {
  return {
    validFrom: new Date(Date.parse(stay.startsAt) - hotel.accessEarlyMinutes * MINUTE_MS),
    validTo: new Date(Date.parse(stay.endsAt) + hotel.accessLateMinutes * MINUTE_MS),
  };
}

/** Requested scope of a key: doors and a period, or a stay, whose period applies. */
interface KeyPeriodInput {
  stayId: number | null;
  /** empty with a stay: its current room */
  roomIds: readonly number[];
  /** ISO 8601; null: from now, without end; with a stay, its whole access period */
  validFrom: string | null;
  validTo: string | null;
}

export interface KeyPeriod {
  stayId: number | null;
  roomIds: number[];
  window: AccessWindow;
}

/**
 * Returns the doors and period of a new door code or face. A stay's key opens the stay's room and possibly others; if
 * the party arrived early it works from now. It may cover a part of the stay, but follows the whole stay again once the
 * stay's period changes. @throws not_found for a room or stay the caller can't see, state_conflict for a stay that
 * ended, stay_expired, invalid_input for a period that is over, or outside of the stay
 */
export async function keyPeriod(scope: Scope, tx: Transaction, input: KeyPeriodInput): Promise<KeyPeriod> {
  const roomIds = [...new Set(input.roomIds)];
  for (const roomId of roomIds) scope.requireRoom(roomId);
  const now = scope.now();
  const { stayId } = input;
  if (stayId === null) {
    const validFrom = input.validFrom === null ? now : new Date(input.validFrom);
    const validTo = input.validTo === null ? null : new Date(input.validTo);
    if (validTo && validTo <= now)
      throw new DomainError("invalid_input", {}, { validTo: { key: "validation.endPast" } });
    return { stayId, roomIds, window: { validFrom, validTo } };
  }
  const stay = await selectStayForUpdate(scope, tx, stayId, "reserved", "checked_in");
  if (roomIds.length > 0 && !roomIds.includes(stay.roomId)) {
    throw new DomainError("invalid_input", {}, { roomIds: { key: "validation.unknown" } });
  }
  const { validFrom, validTo } = accessWindow(scope.hotel, stay);
  if (validTo <= now) throw new DomainError("stay_expired");
  const early = stay.state === "checked_in" && now < validFrom;
  return {
    stayId,
    roomIds: roomIds.length > 0 ? roomIds : [stay.roomId],
    window: partOf({ validFrom: early ? now : validFrom, validTo }, input, now),
  };
}

/**
 * Returns the requested part of the stay's access period. @throws invalid_input for a part that is over, or outside of
 * it
 */
export function partOf(
  { validFrom, validTo }: { validFrom: Date; validTo: Date },
  input: Pick<KeyPeriodInput, "validFrom" | "validTo">,
  now: Date,
): { validFrom: Date; validTo: Date } {
  const from = input.validFrom === null ? validFrom : new Date(input.validFrom);
  const to = input.validTo === null ? validTo : new Date(input.validTo);
  const part = { validFrom: from < validFrom ? validFrom : from, validTo: to > validTo ? validTo : to };
  if (part.validTo <= now) throw new DomainError("invalid_input", {}, { validTo: { key: "validation.endPast" } });
  if (part.validTo <= part.validFrom) {
    const field = input.validTo === null ? "validFrom" : "validTo";
    throw new DomainError("invalid_input", {}, { [field]: { key: "validation.unknown" } });
  }
  return part;
}
