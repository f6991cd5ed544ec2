import type { RetentionTake } from "@innkey/shared/schemas/privacy";
import type { Scope } from "../../../kernel/scope.ts";
import type { Transaction } from "../../../kernel/transaction.ts";
import { forgetFaces } from "../../access/public.ts";
import type { FileStore } from "../../files/public.ts";
import { DUE_FACES, DUE_GUESTS } from "./retention.sql.ts";

const DAY_MS = 86_400_000;
/** Guests, and likewise faces without a guest, per transaction. */
const AT_ONCE = 200;

export const leftBefore = (now: Date, days: number): Date => new Date(now.getTime() - days * DAY_MS);

/**
 * Erases documents and faces of guests whose retention is over, in batches. The audit records each batch, and a run
 * that finds nothing once. If a run is interrupted, the next one continues.
 */
export async function retain(scope: Scope, files: FileStore, batch = AT_ONCE): Promise<RetentionTake> {
  const total: RetentionTake = { guests: 0, documents: 0, faces: 0 };
  for (;;) {
    const erased = await scope.write((tx) => takeBatch(scope, tx, batch, total.guests + total.faces > 0));
    for (const fileId of erased?.pictures ?? []) await files.erase(scope, fileId);
    if (!erased || erased.guests + erased.faces === 0) return total;
    total.guests += erased.guests;
    total.documents += erased.documents;
    total.faces += erased.faces;
  }
}

interface DueGuest {
  id: number;
  hasDocument: boolean;
}

/** Returns null if the hotel keeps everything, which may have been set since the run was queued. */
async function takeBatch(
  scope: Scope,
  tx: Transaction,
  batch: number,
  again: boolean,
): Promise<(RetentionTake & { pictures: string[] }) | null> {
  const { retentionDays: days } = await tx.db.hotel.findFirstOrThrow({ select: { retentionDays: true } });
  if (days === null) return null;
  const now = scope.now();
  const before = leftBefore(now, days);
  const dueGuests = await tx.sql.rows<DueGuest>(DUE_GUESTS, before, batch, null);
  // We check again after locking the guests, because one may have just been checked in.
  const due = await tx.sql.rows<DueGuest>(
    DUE_GUESTS,
    before,
    batch,
    dueGuests.map(({ id }) => id),
  );
  const guestIds = due.map(({ id }) => id);
  const faces = await tx.sql.rows<{ id: number }>(DUE_FACES, before, guestIds, batch);
  const pictures = await forgetFaces(
    scope,
    tx,
    faces.map(({ id }) => id),
  );
  await tx.db.guest.updateMany({
    where: { id: { in: guestIds } },
    data: { documentType: null, documentNumberBox: null, documentNumberHash: null, documentsErasedAt: now },
  });
  const counts = {
    guests: due.length,
    documents: due.filter(({ hasDocument }) => hasDocument).length,
    faces: faces.length,
  };
  if (counts.guests + counts.faces > 0 || !again) {
    tx.audit({ action: "privacy.retain", entity: "hotel", entityId: scope.hotelId, after: { days, ...counts } });
  }
  return { ...counts, pictures };
}
