import { HOUR_MS } from "@innkey/shared/durations";
import { DomainError } from "@innkey/shared/errors";
import { z } from "zod";
import type { Database } from "../../../adapters/postgres/client.ts";
import type { Job, JobQueue } from "../../../adapters/queue/queue.ts";
import type { FileStorage } from "../../../adapters/storage/storage.ts";
import type { Clock } from "../../../kernel/clock.ts";
import type { Scope, SystemScopes } from "../../../kernel/scope.ts";
import type { Transaction } from "../../../kernel/transaction.ts";
import { type FileStore, shrink } from "../../files/public.ts";
import { visibleGuestSql } from "../../stays/public.ts";

/** Provides face pictures in the size that locks accept. */
export interface FaceImages {
  /**
   * Returns a JPEG in base64, at most 320 px per side and 60 kB of text; null if the face doesn't exist or was erased.
   */
  imageForLock(hotelId: number, faceId: number): Promise<string | null>;
}

export const createFaceImages = (files: FileStore, scopes: SystemScopes): FaceImages => ({
  async imageForLock(hotelId, faceId) {
    const scope = await scopes(hotelId);
    const face = await scope?.reads.face.findFirst({
      where: { id: faceId, deletedAt: null },
      select: { fileId: true },
    });
    if (!scope || !face?.fileId) return null;
    const picture = await files.faceBytes(scope, face.fileId);
    return picture && (await shrink(picture)).toString("base64");
  },
});

/** Time in milliseconds within which an uploaded picture must be enrolled. */
const MAX_ENROL_DELAY_MS = 24 * HOUR_MS;
/** Later than the enrolment limit, so that no picture is deleted while it is being enrolled. */
const SWEEP_AFTER_MS = 25 * HOUR_MS;

const unknownReference = (field: string): DomainError =>
  new DomainError("invalid_input", {}, { [field]: { key: "validation.unknown" } });

/** Checks that the file is a recently uploaded face picture that isn't enrolled yet. @throws invalid_input */
export async function checkPicture(scope: Scope, tx: Transaction, fileId: string): Promise<void> {
  const file = await tx.db.storedFile.findFirst({
    where: {
      id: fileId,
      kind: "face",
      face: { is: null },
      createdAt: { gt: new Date(scope.now().getTime() - MAX_ENROL_DELAY_MS) },
    },
    select: { id: true },
  });
  if (!file) throw unknownReference("fileId");
}

/** Checks that the guest exists and, for staff, stayed in one of their rooms. @throws invalid_input */
export async function checkGuest(scope: Scope, tx: Transaction, guestId: number | null): Promise<void> {
  if (guestId === null) return;
  const [guest] = await tx.sql.rows(
    `SELECT g.id FROM guest g WHERE g.hotel_id = $1 AND g.id = $2::int AND g.erased_at IS NULL
       AND ${visibleGuestSql("g", "$3")}
       FOR KEY SHARE OF g`,
    guestId,
    scope.roomIds,
  );
  if (!guest) throw unknownReference("guestId");
}

/** Deletes face data that is no longer needed. */
export const sweepFaces: Job<Record<string, never>> = { name: "faces.sweep", payload: z.strictObject({}) };

const SWEEP_EVERY_SECONDS = 3600;
const MAX_PICTURES_PER_BATCH = 100;

interface SweepDeps {
  database: Pick<Database, "prisma">;
  storage: FileStorage;
  clock: Clock;
}

export function defineFaceJobs(queue: JobQueue, deps: SweepDeps): void {
  queue.define(sweepFaces, () => sweep(deps), { concurrency: 1, attempts: 1 });
  queue.every(sweepFaces, SWEEP_EVERY_SECONDS, {});
}

/**
 * Deletes pictures that were never enrolled or whose erasure was interrupted. Clears note and guest of removed faces
 * once every lock has confirmed the removal.
 */
export async function sweep({ database, storage, clock }: SweepDeps): Promise<void> {
  const { storedFile, face } = database.prisma;
  const before = new Date(clock.now().getTime() - SWEEP_AFTER_MS);
  for (;;) {
    const orphans = await storedFile.findMany({
      where: { kind: "face", face: { is: null }, createdAt: { lt: before } },
      take: MAX_PICTURES_PER_BATCH,
      select: { id: true },
    });
    for (const { id } of orphans) {
      await storage.remove(id);
      await storedFile.deleteMany({ where: { id, face: { is: null } } });
    }
    if (orphans.length < MAX_PICTURES_PER_BATCH) break;
  }
  await face.updateMany({
    where: { deletedAt: { not: null }, note: { not: "" }, credentials: { every: { state: "revoked" } } },
    data: { note: "", guestId: null },
  });
}
