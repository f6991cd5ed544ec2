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
 * A reservation goes to another room or to other days, earlier ones too, and is priced anew.
 * @throws room_taken, price_changed with the difference that holds now, price_missing; payout_not_allowed to give money back
 */
export async function moveReservation(scope: Scope, input: MoveReservationInput): Promise<ReservationMoved> {
  scope.require("stays.manage");
  if (input.agreedTotalMinor !== null) scope.require("prices.agree");
  return scope.write((unit) => moveIn(scope, unit, input));
}

/**
 * The planned departure moves earlier, of a party in the house or yet to come; nights that have not begun are given back.
 * @throws price_changed with the difference that holds now; payout_not_allowed to give money back
 */
export async function shorten(scope: Scope, input: ShortenInput): Promise<z.infer<typeof stayShortened>> {
  scope.require("stays.manage");
  return scope.write((unit) => shortenIn(scope, unit, input));
}
