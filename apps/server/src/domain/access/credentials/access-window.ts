import type { HotelContext } from "../../../kernel/scope.ts";

const MINUTE_MS = 60_000;

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
