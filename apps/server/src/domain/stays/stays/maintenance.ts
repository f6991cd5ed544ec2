import type { Scope } from "../../../kernel/scope.ts";
import type { Transaction } from "../../../kernel/transaction.ts";

/** Blocks rooms from now on, until an instant or, with null, further notice. @throws room_taken */
export async function startMaintenance(
  scope: Scope,
  tx: Transaction,
  roomIds: readonly number[],
  { endsAt, note }: { endsAt: string | null; note: string },
): Promise<void> {
  const { hotelId } = scope;
  const now = scope.now();
  const period = { kind: "maintenance", state: "held", startsAt: now, endsAt, note, createdAt: now } as const;
  await tx.db.occupancy.createMany({ data: roomIds.map((roomId) => ({ hotelId, roomId, ...period })) });
}

/** Changes the end and the note of running maintenance. @throws room_taken */
export async function updateMaintenance(
  tx: Transaction,
  occupancyIds: readonly number[],
  data: { endsAt: string | null; note: string },
): Promise<void> {
  await tx.db.occupancy.updateMany({ where: { id: { in: [...occupancyIds] } }, data });
}

/** Ends running maintenance now. */
export async function endMaintenance(scope: Scope, tx: Transaction, occupancyIds: readonly number[]): Promise<void> {
  await tx.db.occupancy.updateMany({
    where: { id: { in: [...occupancyIds] }, state: "held" },
    data: { state: "ended", endsAt: scope.now() },
  });
}

/** Ends a room's running maintenance now and cancels what was planned. */
export async function endAllMaintenance(scope: Scope, tx: Transaction, roomId: number): Promise<void> {
  const now = scope.now();
  const maintenance = { roomId, kind: "maintenance", state: "held" } as const;
  await tx.db.occupancy.updateMany({
    where: { ...maintenance, startsAt: { lte: now }, OR: [{ endsAt: null }, { endsAt: { gt: now } }] },
    data: { state: "ended", endsAt: now },
  });
  await tx.db.occupancy.updateMany({
    where: { ...maintenance, startsAt: { gt: now } },
    data: { state: "cancelled" },
  });
}
