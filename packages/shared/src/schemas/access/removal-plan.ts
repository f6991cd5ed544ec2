import { z } from "zod";
import { CardKind, CardState, LockErrorCode, RevokeReason } from "../../enums.ts";
import { REMOVAL_STEPS } from "../../words.ts";

/** A door whose lock may still open for a revoked staff card or master key card, and what ends that. */
export const removalDoor = z.object({
  lockId: z.int(),
  roomId: z.int().nullable(),
  /** of the room or common door; empty for a lock that is on no door */
  name: z.string(),
  /** null: not a room's door */
  floor: z.int().nullable(),
  step: z.enum(REMOVAL_STEPS),
  lastSeenAt: z.string().nullable(),
  /** percent, as last reported */
  power: z.int().nullable(),
  nextTryAt: z.string().nullable(),
  error: LockErrorCode.nullable(),
  /** when the card ends there by itself; null: never */
  endsAt: z.string().nullable(),
});
export type RemovalDoor = z.infer<typeof removalDoor>;

/** Which locks no longer accept a revoked staff card or master key card, and what is left to do at the others, in order. */
export const removalPlan = z.object({
  cardId: z.int(),
  uid: z.string(),
  kind: CardKind,
  note: z.string(),
  state: CardState,
  reason: RevokeReason.nullable(),
  revokedAt: z.string(),
  /** locks that the card opened when it was revoked */
  locks: z.int(),
  /** locks where its period has ended before they confirmed */
  ended: z.int(),
  /** when the last of the doors is over by itself; null: never, or nothing is left */
  endsAt: z.string().nullable(),
  /** by step, floor and name */
  left: z.array(removalDoor),
  /** doors whose locks have confirmed, by floor and name */
  confirmed: z.array(removalDoor.pick({ lockId: true, roomId: true, name: true, floor: true })),
});
export type RemovalPlan = z.infer<typeof removalPlan>;
