import { DomainError } from "@innkey/shared/errors";
import type { Scope } from "../../core/scope.ts";
import type { Unit } from "../../core/unit.ts";
import { type AccessWindow, accessWindow } from "../locks/access-window.ts";
import { lockStay } from "./live-stay.ts";

/** What a key is asked for: doors and a period, or a stay, whose period it is. */
export interface KeyAsked {
  stayId: number | null;
  /** none with a stay: the room it is in */
  roomIds: readonly number[];
  /** ISO 8601; null: from now on, without end; with a stay, as long as it works */
  validFrom: string | null;
  validTo: string | null;
}

export interface KeyPeriod {
  stayId: number | null;
  roomIds: number[];
  window: AccessWindow;
}

/**
 * Doors and window of a new code or face. A stay's key goes to the stay's room, and may go to others beside it; of a party
 * that came early it works from now. It may be asked for a part of the stay, and is the whole stay's again once that is
 * given another period. @throws not_found for a room or stay the caller doesn't see, state_conflict for a stay that ended,
 * stay_expired, invalid_input for a period that is over, or outside of the stay
 */
export async function keyPeriod(scope: Scope, unit: Unit, asked: KeyAsked): Promise<KeyPeriod> {
  const roomIds = [...new Set(asked.roomIds)];
  for (const roomId of roomIds) scope.requireRoom(roomId);
  const now = scope.now();
  const { stayId } = asked;
  if (stayId === null) {
    const validFrom = asked.validFrom === null ? now : new Date(asked.validFrom);
    const validTo = asked.validTo === null ? null : new Date(asked.validTo);
    if (validTo && validTo <= now)
      throw new DomainError("invalid_input", {}, { validTo: { key: "validation.endPast" } });
    return { stayId, roomIds, window: { validFrom, validTo } };
  }
  const stay = await lockStay(scope, unit, stayId, "reserved", "checked_in");
  if (roomIds.length > 0 && !roomIds.includes(stay.roomId)) {
    throw new DomainError("invalid_input", {}, { roomIds: { key: "validation.unknown" } });
  }
  const { validFrom, validTo } = accessWindow(scope.hotel, stay);
  if (validTo <= now) throw new DomainError("stay_expired");
  const early = stay.state === "checked_in" && now < validFrom;
  return {
    stayId,
    roomIds: roomIds.length > 0 ? roomIds : [stay.roomId],
    window: partOf({ validFrom: early ? now : validFrom, validTo }, asked, now),
  };
}

/** What of the stay's window was asked for. @throws invalid_input for a part that is over, or outside of it */
export function partOf(
  { validFrom, validTo }: { validFrom: Date; validTo: Date },
  asked: Pick<KeyAsked, "validFrom" | "validTo">,
  now: Date,
): { validFrom: Date; validTo: Date } {
  const from = asked.validFrom === null ? validFrom : new Date(asked.validFrom);
  const to = asked.validTo === null ? validTo : new Date(asked.validTo);
  const part = { validFrom: from < validFrom ? validFrom : from, validTo: to > validTo ? validTo : to };
  if (part.validTo <= now) throw new DomainError("invalid_input", {}, { validTo: { key: "validation.endPast" } });
  if (part.validTo <= part.validFrom) {
    const field = asked.validTo === null ? "validFrom" : "validTo";
    throw new DomainError("invalid_input", {}, { [field]: { key: "validation.unknown" } });
  }
  return part;
}
