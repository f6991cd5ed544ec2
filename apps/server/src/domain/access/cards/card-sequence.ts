import { MAX_SEQUENCE, recordPeriod } from "@innkey/shared/cards/record";
import { DomainError } from "@innkey/shared/errors";
import type { Prisma } from "../../../adapters/postgres/generated/client.ts";
import type { Scope } from "../../../kernel/scope.ts";
import type { Transaction } from "../../../kernel/transaction.ts";
import { lockCardSequence, setCardSequence } from "../../property/public.ts";

/** Who a card is for: a stay, or any guest of the room in a period that no stay covers. */
type Holder = { stayId: number } | { validFrom: string; validTo: string | null };

/**
 * Returns the issue sequence of a new card for a room. Live cards of one stay share a sequence; otherwise it is one
 * more than any before, both at the room and at its current lock, which may come from another door. A card without a
 * stay must not disable others, so it shares the sequence of live cards whose period overlaps its own, except for spare cards. With
 * `startsNewSequence` no sequence is shared. The caller must have locked the stay. @throws state_conflict when no
 * sequences are left
 */
export async function nextSequence(
  tx: Transaction,
  holder: Holder,
  roomId: number,
  { lockId, startsNewSequence }: { lockId: number; startsNewSequence: boolean },
): Promise<number> {
  const current = await lockCardSequence(tx, roomId);
  const { guestFloor, sequenceFrom } = await tx.db.lock.findFirstOrThrow({
    where: { id: lockId },
    select: { guestFloor: true, sequenceFrom: true },
  });
  const written = { kind: "guest" as const, overTheAir: false, lockNumber: lockId, ...createdSince(sequenceFrom) };
  if (!startsNewSequence) {
    // Older cards are checked too, because a card for the next party may already have been issued.
    const shared = await tx.db.card.findFirst({
      where: {
        AND: [
          written,
          { spareNumber: null },
          sameHolder(holder),
          { sequence: { gte: guestFloor }, state: { in: ["pending", "active"] } },
        ],
      },
      orderBy: { sequence: "desc" },
      select: { sequence: true },
    });
    if (shared) return shared.sequence;
  }
  const { _max } = await tx.db.card.aggregate({ where: written, _max: { sequence: true } });
  const sequence = Math.max(current + 1, guestFloor, (_max.sequence ?? 0) + 1);
  if (sequence > MAX_SEQUENCE) throw new DomainError("state_conflict", { max: MAX_SEQUENCE });
  await setCardSequence(tx, roomId, { from: current, to: sequence });
  return sequence;
}

/** Selects the cards that count towards a door's sequence. */
export const createdSince = (sequenceFrom: Date | null): Prisma.CardWhereInput =>
  sequenceFrom === null ? {} : { createdAt: { gte: sequenceFrom } };

const sameHolder = (holder: Holder): Prisma.CardWhereInput => ("stayId" in holder ? holder : overlapping(holder));

/** Selects cards that open at some time within the period. */
export function overlapping({
  validFrom,
  validTo,
}: {
  validFrom: string;
  validTo: string | null;
}): Prisma.CardWhereInput {
  return {
    ...(validTo !== null && { validFrom: { lt: validTo } }),
    OR: [{ validTo: null }, { validTo: { gt: validFrom } }],
  };
}

/**
 * Returns the period of a card made now, as its record encodes it; without a start it opens from now. @throws
 * invalid_input for an end that is past, or later than records can encode
 */
export function issuePeriod(
  scope: Scope,
  { validFrom, validTo }: { validFrom: string | null; validTo: string | null },
): { validFrom: string; validTo: string | null } {
  const now = scope.now().toISOString();
  try {
    const period = recordPeriod(validFrom ?? now, validTo);
    if (period.validTo === null || period.validTo > now) return period;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const field = validTo === null ? "validFrom" : "validTo";
    throw new DomainError("invalid_input", {}, { [field]: { key: "validation.instant" } });
  }
  throw new DomainError("invalid_input", {}, { validTo: { key: "validation.endBeforeStart" } });
}
