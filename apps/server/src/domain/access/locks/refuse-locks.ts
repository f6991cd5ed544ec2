import { DomainError } from "@innkey/shared/errors";
import type { Prisma } from "../../../adapters/postgres/generated/client.ts";
import type { Transaction } from "../../../kernel/transaction.ts";
import type { LockOnDoor } from "../credentials/credentials.ts";

/** Refuses locks that match `where`, with the name of the first one's door. */
export async function refuseLocks(
  tx: Transaction,
  locks: readonly LockOnDoor[],
  where: Prisma.LockWhereInput,
  code: "lock_reads_no_cards" | "lock_without_hours" | "room_blocked",
): Promise<void> {
  const lock = await tx.db.lock.findFirst({
    where: { id: { in: locks.map(({ id }) => id) }, ...where },
    orderBy: { id: "asc" },
    select: { room: { select: { name: true } }, door: { select: { name: true } } },
  });
  if (lock) throw new DomainError(code, { roomName: (lock.room ?? lock.door)?.name ?? "" });
}

/**
 * Days and hours are in the lock's own list of keys, so only a lock of our own protocol that was connected can get them.
 * @throws lock_without_hours
 */
export const requireLocksWithHours = (tx: Transaction, locks: readonly LockOnDoor[]): Promise<void> =>
  refuseLocks(tx, locks, { OR: [{ driver: { not: "mqtt" } }, { accessHash: null }] }, "lock_without_hours");
