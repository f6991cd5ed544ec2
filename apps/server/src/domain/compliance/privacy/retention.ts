import { DAY_MS } from "@innkey/shared/durations";
import type { PrivacyOverview, RetentionTake } from "@innkey/shared/schemas/compliance";
import { z } from "zod";
import type { Database } from "../../../adapters/postgres/client.ts";
import type { Job, JobQueue } from "../../../adapters/queue/queue.ts";
import type { Logger } from "../../../adapters/telemetry/logger.ts";
import type { Scope, SystemScopes } from "../../../kernel/scope.ts";
import { changesOf, type Transaction } from "../../../kernel/transaction.ts";
import { deleteOldRecords, forgetFaces, forgetIdCards } from "../../access/public.ts";
import type { FileStore } from "../../files/public.ts";
import { updateHotel } from "../../property/public.ts";
import { deleteOldLinks, deletePicturesOf } from "../../stays/public.ts";

/**
 * Guests whose retention is over. `$2` is the time before which they must have left. Guests in house or expected are
 * spared; one without any stay counts from the creation of their record.
 */
const LEFT_BEFORE = `NOT EXISTS (SELECT FROM stay_guest sg JOIN stay s ON s.id = sg.stay_id
    WHERE sg.guest_id = g.id AND (s.state IN ('reserved', 'checked_in')
      OR coalesce(s.checked_out_at, s.cancelled_at, s.ends_at) >= $2::timestamptz))
  AND g.created_at < $2::timestamptz`;

/** A face without a guest that had access only for stays belongs to a guest of those stays. */
const STAY_FACE = `f.guest_id IS NULL
  AND EXISTS (SELECT FROM credential c WHERE c.hotel_id = $1 AND c.face_id = f.id)
  AND NOT EXISTS (SELECT FROM credential c LEFT JOIN stay s ON s.id = c.stay_id
    WHERE c.hotel_id = $1 AND c.face_id = f.id AND (s.id IS NULL OR s.state IN ('reserved', 'checked_in')
      OR coalesce(s.checked_out_at, s.cancelled_at, s.ends_at) >= $2::timestamptz))`;

const HAS_DOCUMENT = "(g.document_number_box IS NOT NULL OR g.document_type IS NOT NULL)";
const HAS_FACE = "EXISTS (SELECT FROM face f WHERE f.hotel_id = $1 AND f.guest_id = g.id AND f.deleted_at IS NULL)";

const HAS_ID_CARD = `EXISTS (SELECT FROM card c JOIN stay_guest sg ON sg.id = c.stay_guest_id
  WHERE c.hotel_id = $1 AND sg.guest_id = g.id AND c.id_card AND c.state = 'revoked' AND c.uid <> '')`;

const HAS_PICTURE = `EXISTS (SELECT FROM guest_picture i JOIN stay_guest sg ON sg.id = i.stay_guest_id
  WHERE i.hotel_id = $1 AND sg.guest_id = g.id)`;

const HAS_DUE = `(${HAS_DOCUMENT} OR ${HAS_FACE} OR ${HAS_ID_CARD} OR ${HAS_PICTURE})`;

/** `$3`: limit, `$4`: only these guests, or null. Locks the guests against a concurrent check-in. */
export const DUE_GUESTS = `SELECT g.id, ${HAS_DOCUMENT} AS "hasDocument" FROM guest g
  WHERE g.hotel_id = $1 AND g.erased_at IS NULL AND ${HAS_DUE} AND ${LEFT_BEFORE}
    AND ($4::int[] IS NULL OR g.id = ANY ($4::int[]))
  ORDER BY g.id LIMIT $3::int FOR UPDATE OF g`;

/** `$3`: guests, `$4`: limit for faces without a guest. */
export const DUE_FACES = `(SELECT f.id FROM face f WHERE f.hotel_id = $1 AND f.deleted_at IS NULL AND f.guest_id = ANY ($3::int[]))
  UNION ALL
  (SELECT f.id FROM face f WHERE f.hotel_id = $1 AND f.deleted_at IS NULL AND ${STAY_FACE} ORDER BY f.id LIMIT $4::int)`;

export const DUE_COUNT = `
  WITH due AS (SELECT g.id, ${HAS_DOCUMENT} AS document FROM guest g
    WHERE g.hotel_id = $1 AND g.erased_at IS NULL AND ${HAS_DUE} AND ${LEFT_BEFORE})
  SELECT (SELECT count(*) FROM due)::int AS guests, (SELECT count(*) FROM due WHERE document)::int AS documents,
    ((SELECT count(*) FROM face f JOIN due ON due.id = f.guest_id WHERE f.hotel_id = $1 AND f.deleted_at IS NULL)
     + (SELECT count(*) FROM face f WHERE f.hotel_id = $1 AND f.deleted_at IS NULL AND ${STAY_FACE}))::int AS faces`;

/** Guests, and likewise faces without a guest, per transaction. */
const BATCH_SIZE = 200;

/** Guests who left before the returned time are due. */
export const retentionLimit = (now: Date, days: number): Date => new Date(now.getTime() - days * DAY_MS);

/**
 * Erases documents and faces of guests whose retention is over, and old faces without a guest, in batches. The audit
 * gets an entry for each batch, or one that nothing was due. If a run is interrupted, the next one continues.
 */
export async function retain(scope: Scope, files: FileStore, batch = BATCH_SIZE): Promise<RetentionTake> {
  const total: RetentionTake = { guests: 0, documents: 0, faces: 0 };
  for (;;) {
    const erased = await scope.write((tx) => eraseBatch(scope, tx, batch, total.guests + total.faces > 0));
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
async function eraseBatch(
  scope: Scope,
  tx: Transaction,
  batch: number,
  hasErasedBefore: boolean,
): Promise<(RetentionTake & { pictures: string[] }) | null> {
  const { retentionDays: days } = await tx.db.hotel.findFirstOrThrow({ select: { retentionDays: true } });
  if (days === null) return null;
  const now = scope.now();
  const before = retentionLimit(now, days);
  const dueGuests = await tx.sql.rows<DueGuest>(DUE_GUESTS, before, batch, null);
  // Checks again after locking the guests, because one may have just been checked in.
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
  await forgetIdCards(tx, guestIds);
  await deletePicturesOf(tx, guestIds);
  await deleteOldLinks(tx, before);
  await tx.db.guest.updateMany({
    where: { id: { in: guestIds } },
    data: { documentType: null, documentNumberBox: null, documentNumberHash: null, documentsErasedAt: now },
  });
  const counts = {
    guests: due.length,
    documents: due.filter(({ hasDocument }) => hasDocument).length,
    faces: faces.length,
  };
  if (counts.guests + counts.faces > 0 || !hasErasedBefore) {
    tx.audit({ action: "privacy.retain", entity: "hotel", entityId: scope.hotelId, after: { days, ...counts } });
  }
  return { ...counts, pictures };
}

const MAX_RUNS = 10;

/** Returns the retention period of documents and faces, what a run now would erase, and what the last runs erased. */
export async function overview(scope: Scope): Promise<PrivacyOverview> {
  scope.require("privacy.manage");
  const { retentionDays: days } = await scope.reads.hotel.findFirstOrThrow({ select: { retentionDays: true } });
  const runs = await scope.sql.rows<PrivacyOverview["runs"][number]>(
    `SELECT iso(at) AS at, (after->>'days')::int AS days, (after->>'guests')::int AS guests,
        (after->>'documents')::int AS documents, (after->>'faces')::int AS faces
      FROM audit_entry WHERE hotel_id = $1 AND entity = 'hotel' AND entity_id = hotel_id::text AND action = 'privacy.retain'
      ORDER BY seq DESC LIMIT $2`,
    MAX_RUNS,
  );
  if (days === null) return { days, due: null, runs };
  const [due] = await scope.sql.rows<RetentionTake>(DUE_COUNT, retentionLimit(scope.now(), days));
  return { days, due: due ?? null, runs };
}

/** Returns what a run would erase if the period were `days`; nothing if null, which means everything is retained. */
export async function preview(scope: Scope, days: number | null): Promise<RetentionTake> {
  scope.require("privacy.manage");
  const [due] = days === null ? [] : await scope.sql.rows<RetentionTake>(DUE_COUNT, retentionLimit(scope.now(), days));
  return due ?? { guests: 0, documents: 0, faces: 0 };
}

/**
 * Sets the days after check-out that documents and faces are retained, or null for ever; a run applies them at once.
 */
export async function setRetention(
  scope: Scope,
  runs: { enqueue(hotelId: number): Promise<void> },
  days: number | null,
): Promise<PrivacyOverview> {
  scope.require("privacy.manage");
  scope.require("hotel.manage");
  await scope.write(async (tx) => {
    const before = await tx.db.hotel.findFirstOrThrow({ select: { retentionDays: true } });
    const changes = changesOf(before, { retentionDays: days });
    if (!changes) return;
    await updateHotel(tx, { retentionDays: days });
    tx.audit({ action: "hotel.update", entity: "hotel", entityId: scope.hotelId, ...changes });
  });
  if (days !== null) await runs.enqueue(scope.hotelId);
  return overview(scope);
}

/**
 * Erases data whose retention is over: in one hotel after its setting changed, or daily in every hotel with such a
 * setting.
 */
export const retentionJob: Job<{ hotelId: number | null }> = {
  name: "privacy.retain",
  payload: z.strictObject({ hotelId: z.int().nullable() }),
};

const DAY_SECONDS = 86_400;

export interface RetentionDeps {
  database: Pick<Database, "prisma">;
  scopes: SystemScopes;
  files: FileStore;
}

/** Starts retention runs: daily, and right after a hotel changed its setting. */
export class Retention {
  readonly #queue: JobQueue;
  readonly #log: Logger;

  constructor(queue: JobQueue, deps: RetentionDeps, log: Logger) {
    this.#queue = queue;
    this.#log = log;
    queue.define(retentionJob, ({ hotelId }) => retainHotels(deps, hotelId), { concurrency: 1 });
    queue.every(retentionJob, DAY_SECONDS, { hotelId: null });
  }

  /**
   * Queues a run for the hotel; call it after the commit. If the queue is unavailable, the next daily run does the
   * work. @throws never
   */
  async enqueue(hotelId: number): Promise<void> {
    await this.#queue.add(retentionJob, { hotelId }).catch((error: unknown) => {
      this.#log.error({ err: error, hotelId }, "a retention run could not be queued");
    });
  }
}

/**
 * Runs retention for every hotel with a retention period for documents or door records, or only for one hotel. If a
 * hotel fails, the others still run.
 */
export async function retainHotels({ database, scopes, files }: RetentionDeps, only: number | null): Promise<void> {
  const hotels = await database.prisma.hotel.findMany({
    where: {
      OR: [{ retentionDays: { not: null } }, { recordMonths: { not: null } }],
      ...(only !== null && { id: only }),
    },
    orderBy: { id: "asc" },
    select: { id: true },
  });
  const failures: unknown[] = [];
  for (const { id } of hotels) {
    const scope = await scopes(id);
    if (!scope) continue;
    await retain(scope, files).catch((error: unknown) => failures.push(error));
    await deleteOldRecords(scope).catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) throw new AggregateError(failures, "the retention of some hotels failed");
}
