import type { PrivacyOverview, RetentionTake } from "@innkey/shared/schemas/privacy";
import { changesOf } from "../../../kernel/changes.ts";
import type { Scope } from "../../../kernel/scope.ts";
import { updateHotel } from "../../property/public.ts";
import { DUE_COUNT } from "./retention.sql.ts";
import { leftBefore } from "./retention.ts";

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
  const [due] = await scope.sql.rows<RetentionTake>(DUE_COUNT, leftBefore(scope.now(), days));
  return { days, due: due ?? null, runs };
}

/** Returns what a run would erase if the period were `days`; nothing if null, which means everything is retained. */
export async function preview(scope: Scope, days: number | null): Promise<RetentionTake> {
  scope.require("privacy.manage");
  const [due] = days === null ? [] : await scope.sql.rows<RetentionTake>(DUE_COUNT, leftBefore(scope.now(), days));
  return due ?? { guests: 0, documents: 0, faces: 0 };
}

/** Sets the days after check-out that documents and faces are retained, or null for ever. The caller starts a run. */
export async function setRetention(scope: Scope, days: number | null): Promise<void> {
  scope.require("privacy.manage");
  scope.require("hotel.manage");
  await scope.write(async (tx) => {
    const before = await tx.db.hotel.findFirstOrThrow({ select: { retentionDays: true } });
    const changes = changesOf(before, { retentionDays: days });
    if (!changes) return;
    await updateHotel(tx, { retentionDays: days });
    tx.audit({ action: "hotel.update", entity: "hotel", entityId: scope.hotelId, ...changes });
  });
}
