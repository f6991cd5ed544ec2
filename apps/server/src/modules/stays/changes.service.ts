import type {
  MoveReservationInput,
  ReservationMoved,
  ShortenInput,
  stayShortened,
} from "@innkey/shared/schemas/timeline";
import type { z } from "zod";
import type { Scope } from "../../core/scope.ts";
import { moveIn } from "./reservation-move.ts";
import { shortenIn } from "./shortening.ts";

/**
 * Moves a reservation to another room or other days, earlier ones included, and prices it anew. @throws room_taken,
 * price_changed with the current difference, price_missing; payout_not_allowed for a refund
 */
export async function moveReservation(scope: Scope, input: MoveReservationInput): Promise<ReservationMoved> {
  scope.require("stays.manage");
  if (input.agreedTotalMinor !== null) scope.require("prices.agree");
  return scope.write((unit) => moveIn(scope, unit, input));
}

/**
 * Moves the planned departure earlier, of a checked-in stay or a reservation; nights that have not begun are refunded.
 * @throws price_changed with the current difference; payout_not_allowed for a refund
 */
export async function shorten(scope: Scope, input: ShortenInput): Promise<z.infer<typeof stayShortened>> {
  scope.require("stays.manage");
  return scope.write((unit) => shortenIn(scope, unit, input));
}
