import type { Scope } from "../../../kernel/scope.ts";
import type { Transaction } from "../../../kernel/transaction.ts";

/** Stores which zones' keys a lock has confirmed. It has no others, because its keys replace all that it had. */
export async function confirmLockZones(
  scope: Scope,
  tx: Transaction,
  lockId: number,
  zoneIds: readonly number[],
): Promise<void> {
  await tx.db.lockZone.deleteMany({ where: { lockId, leftAt: { not: null }, zoneId: { notIn: [...zoneIds] } } });
  await tx.db.lockZone.updateMany({
    where: { lockId, zoneId: { in: [...zoneIds] }, confirmedAt: null },
    data: { confirmedAt: scope.now() },
  });
}

/** Returns the zones whose keys each lock is to have. */
export async function zonesOfLocks(tx: Transaction, lockIds: readonly number[]): Promise<Map<number, number[]>> {
  const rows = await tx.db.lockZone.findMany({
    where: { lockId: { in: [...lockIds] }, leftAt: null },
    orderBy: { zoneId: "asc" },
    select: { lockId: true, zoneId: true },
  });
  const zones = new Map<number, number[]>();
  for (const { lockId, zoneId } of rows) zones.set(lockId, [...(zones.get(lockId) ?? []), zoneId]);
  return zones;
}

/** Returns the locks that read the records of these zones on cards, by id. */
export async function locksOfZones(tx: Transaction, zoneIds: readonly number[]): Promise<number[]> {
  const rows = await tx.db.lockZone.findMany({
    where: { zoneId: { in: [...zoneIds] }, leftAt: null, lock: { driver: "mqtt", deletedAt: null } },
    distinct: ["lockId"],
    orderBy: { lockId: "asc" },
    select: { lockId: true },
  });
  return rows.map(({ lockId }) => lockId);
}
