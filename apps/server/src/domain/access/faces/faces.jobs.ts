import { z } from "zod";
import type { Database } from "../../../adapters/postgres/client.ts";
import type { Job, JobQueue } from "../../../adapters/queue/queue.ts";
import type { FileStorage } from "../../../adapters/storage/file-storage.ts";
import type { Clock } from "../../../kernel/clock.ts";
import { SWEEP_AFTER_MS } from "./face-images.ts";

/** Deletes face data that is no longer needed. */
export const sweepFaces: Job<Record<string, never>> = { name: "faces.sweep", payload: z.strictObject({}) };

const SWEEP_SECONDS = 3600;
const AT_ONCE = 100;

export interface SweepDeps {
  database: Pick<Database, "prisma">;
  storage: FileStorage;
  clock: Clock;
}

export function defineFaceJobs(queue: JobQueue, deps: SweepDeps): void {
  queue.define(sweepFaces, () => sweep(deps), { concurrency: 1, attempts: 1 });
  queue.every(sweepFaces, SWEEP_SECONDS, {});
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
      take: AT_ONCE,
      select: { id: true },
    });
    for (const { id } of orphans) {
      await storage.remove(id);
      await storedFile.deleteMany({ where: { id, face: { is: null } } });
    }
    if (orphans.length < AT_ONCE) break;
  }
  await face.updateMany({
    where: { deletedAt: { not: null }, note: { not: "" }, credentials: { every: { state: "revoked" } } },
    data: { note: "", guestId: null },
  });
}
