import { DomainError } from "@innkey/shared/errors";
import { LOW_POWER_PERCENT } from "@innkey/shared/locks/lock-status";
import type { cardRef } from "@innkey/shared/schemas/access/cards";
import type { PendingRevocation } from "@innkey/shared/schemas/access/locks";
import type { RemovalDoor, RemovalPlan } from "@innkey/shared/schemas/access/removal-plan";
import { REMOVAL_STEPS } from "@innkey/shared/words";
import type { z } from "zod";
import type { Scope } from "../../../kernel/scope.ts";
import { pendingRevocationsOfCard } from "../credentials/pending-revocations.ts";

/** A lock that had the card when it was revoked. */
interface LockOfCard {
  lockId: number;
  roomId: number | null;
  name: string;
  floor: number | null;
  power: number | null;
  breakerOpenedAt: string | null;
  /** whether it has confirmed the removal, or never had the card */
  confirmed: boolean;
}

const CARD = `SELECT c.id AS "cardId", c.uid, c.kind::text AS kind, c.note, c.state::text AS state, c.revoke_reason AS reason,
    iso(c.revoked_at) AS "revokedAt"
  FROM card c WHERE c.hotel_id = $1 AND c.id = $2::int AND c.kind <> 'guest' AND c.revoked_at IS NOT NULL`;

/** A door that left the card before is not part of the plan, unless its lock hadn't confirmed that. */
const LOCKS = `SELECT DISTINCT ON (t.lock_id) t.lock_id AS "lockId", t.room_id AS "roomId", coalesce(r.name, d.name, '') AS name, r.floor, l.power,
    iso(l.breaker_opened_at) AS "breakerOpenedAt", t.state = 'revoked' AS confirmed
  FROM card c JOIN credential t ON t.hotel_id = c.hotel_id AND t.card_id = c.id
  JOIN lock l ON l.id = t.lock_id
  LEFT JOIN room r ON r.id = t.room_id
  LEFT JOIN door d ON d.id = l.door_id AND t.room_id IS NULL
  WHERE c.hotel_id = $1 AND c.id = $2::int AND (t.state <> 'revoked' OR t.revoked_at >= c.revoked_at)
  ORDER BY t.lock_id, t.state = 'revoked', t.id DESC`;

/**
 * Returns the plan for a staff card or master key card that was revoked: which locks have confirmed that they no longer
 * accept it, what is left to do at the others, and when that is over by itself. @throws no_permission; not_found for another
 * card, one that was not revoked, and for staff of certain rooms
 */
export async function removalPlan(scope: Scope, { cardId }: z.infer<typeof cardRef>): Promise<RemovalPlan> {
  scope.require("cards.view");
  scope.require("locks.view");
  if (scope.roomIds !== null) throw new DomainError("not_found");
  type Head = Omit<RemovalPlan, "locks" | "ended" | "endsAt" | "left" | "confirmed">;
  // In this order, a lock that confirms in between is not left. The card is marked as revoked then, or by the next sweep.
  const pending = await pendingRevocationsOfCard(scope, cardId);
  const locks = await scope.sql.rows<LockOfCard>(LOCKS, cardId);
  const [card] = await scope.sql.rows<Head>(CARD, cardId);
  if (!card) throw new DomainError("not_found");
  const lockOf = new Map(locks.map((lock) => [lock.lockId, lock]));
  const left = pending
    .filter(({ lockId }) => !lockOf.get(lockId)?.confirmed)
    .map((row) => doorOf(row, lockOf.get(row.lockId)))
    .sort(byStep);
  const confirmed = locks
    .filter((lock) => lock.confirmed)
    .map(({ lockId, roomId, name, floor }) => ({ lockId, roomId, name, floor }))
    .sort(byPlace);
  const ends = left.map(({ endsAt }) => endsAt);
  return {
    ...card,
    locks: Math.max(locks.length, left.length),
    ended: Math.max(0, locks.length - confirmed.length - left.length),
    endsAt: ends.includes(null)
      ? null
      : (ends
          .filter((end) => end !== null)
          .sort()
          .at(-1) ?? null),
    left,
    confirmed,
  };
}

function doorOf(row: PendingRevocation, lock: LockOfCard | undefined): RemovalDoor {
  const { lockId, roomId, roomName, lastSeenAt, nextTryAt, error, validTo: endsAt } = row;
  const { floor = null, power = null } = lock ?? {};
  const step = stepOf(row, lock);
  return {
    lockId,
    roomId,
    name: roomName ?? lock?.name ?? "",
    floor,
    step,
    lastSeenAt,
    power,
    nextTryAt,
    error,
    endsAt,
  };
}

/** A lock that is reached and has a command confirms by itself. */
function stepOf(row: PendingRevocation, lock: LockOfCard | undefined): RemovalDoor["step"] {
  if (row.lockRemoved) return "check";
  const isAway = !row.online || (lock?.breakerOpenedAt ?? null) !== null;
  if (!isAway) return row.nextTryAt === null ? "retry" : "wait";
  return lock && lock.power !== null && lock.power < LOW_POWER_PERCENT ? "battery" : "reach";
}

type Place = Pick<RemovalDoor, "floor" | "name">;

/** Common doors come first: one passes them on the way. */
const LOWEST = Number.MIN_SAFE_INTEGER;
const byPlace = (a: Place, b: Place): number =>
  (a.floor ?? LOWEST) - (b.floor ?? LOWEST) || a.name.localeCompare(b.name, "en", { numeric: true });

const byStep = (a: RemovalDoor, b: RemovalDoor): number =>
  REMOVAL_STEPS.indexOf(a.step) - REMOVAL_STEPS.indexOf(b.step) || byPlace(a, b);
