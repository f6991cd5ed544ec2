import type { Scope } from "../../../kernel/scope.ts";
import type { AuditEntry, Transaction } from "../../../kernel/transaction.ts";

/** What a guest's page can cause as often as somebody likes */
type Repeatable = "proof" | "late";

const INTERVAL_MS = 60 * 60 * 1000;

const COLUMNS = {
  proof: { at: "proof_entry_at", count: "proofs_since_entry" },
  late: { at: "late_entry_at", count: "lates_since_entry" },
} as const;

/**
 * Adds an audit entry unless the link has one of the same kind within the last hour; the next one says in `skipped` how
 * often it happened between. The audit log is kept for ever, so nobody outside may fill it.
 */
export async function auditAtIntervals(
  scope: Scope,
  tx: Transaction,
  linkId: number,
  kind: Repeatable,
  entry: AuditEntry,
): Promise<void> {
  const { at, count } = COLUMNS[kind];
  const now = scope.now();
  const [due] = await tx.sql.rows<{ skipped: number }>(
    `UPDATE guest_link k SET ${at} = $3::timestamptz, ${count} = 0 FROM guest_link before
      WHERE k.hotel_id = $1 AND k.id = $2::int AND before.id = k.id AND (k.${at} IS NULL OR k.${at} <= $4::timestamptz)
      RETURNING before.${count} AS skipped`,
    linkId,
    now,
    new Date(now.getTime() - INTERVAL_MS),
  );
  if (due) {
    const after = { ...entry.after, ...(due.skipped > 0 && { skipped: due.skipped }) };
    tx.audit({ ...entry, ...(Object.keys(after).length > 0 && { after }) });
    return;
  }
  await tx.sql.rows(
    `UPDATE guest_link SET ${count} = ${count} + 1 WHERE hotel_id = $1 AND id = $2::int RETURNING id`,
    linkId,
  );
}
