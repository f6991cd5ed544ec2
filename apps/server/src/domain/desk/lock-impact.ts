import type { LockImpactItem, LockNews } from "@innkey/shared/schemas/timeline";
import type { Transaction } from "../../kernel/transaction.ts";

interface Row extends Omit<LockNews, "tells"> {
  type: string;
  credentialId: number | null;
  kind: LockImpactItem["kind"] | null;
  label: string;
  from: string | null;
  to: string | null;
}

/** Commands that the current transaction has written and that will be sent, in sending order. */
const WRITTEN = `
SELECT k.type::text AS type, k.credential_id AS "credentialId", c.kind::text AS kind,
  coalesce(nullif(p.person, ''), nullif(d.note, ''), nullif(f.note, ''), d.uid, b.uid, '') AS label,
  iso(c.valid_from) AS "from", iso(c.valid_to) AS "to",
  l.id AS "lockId", coalesce(nullif(l.bluetooth_name, ''), l.mac) AS "lockName", coalesce(r.name, '') AS "roomName",
  l.driver::text AS driver, l.online
FROM lock_command k
JOIN lock l ON l.id = k.lock_id
LEFT JOIN room r ON r.id = l.room_id
LEFT JOIN credential c ON c.id = k.credential_id
LEFT JOIN passcode p ON p.id = c.passcode_id
LEFT JOIN card d ON d.id = c.card_id
LEFT JOIN face f ON f.id = c.face_id
LEFT JOIN card b ON b.id = k.card_id
WHERE k.hotel_id = $1 AND k.state = 'queued' AND k.xmin = pg_current_xact_id()::xid
ORDER BY k.lock_id, k.seq`;

/**
 * Returns what locks will receive because of the changes in `unit` so far. `known`: credentials that were live before
 * them.
 */
export async function readLockNews(tx: Transaction, credentialIds: ReadonlySet<number>): Promise<LockNews[]> {
  const locks = new Map<number, LockNews>();
  for (const row of await tx.sql.rows<Row>(WRITTEN)) {
    const item = toLockImpactItem(row, credentialIds);
    if (!item) continue;
    const { lockId, lockName, roomName, driver, online } = row;
    const news = locks.get(lockId) ?? { lockId, lockName, roomName, driver, online, tells: [] };
    news.tells.push(item);
    locks.set(lockId, news);
  }
  return [...locks.values()];
}

function toLockImpactItem(
  { type, credentialId, kind, label, from, to }: Row,
  credentialIds: ReadonlySet<number>,
): LockImpactItem | null {
  const nothing = { from: null, to: null };
  if (type === "raise_floor") return { kind: "old_cards", what: "refused", label: "", ...nothing };
  if (type === "block_card") return { kind: "card", what: "refused", label, ...nothing };
  if (kind === null) return null;
  if (type === "skip_code") return { kind, what: "refused", label, ...nothing };
  if (type === "remove_credential") return { kind, what: "removed", label, ...nothing };
  if (type !== "set_credential") return null;
  return { kind, what: credentialIds.has(credentialId ?? 0) ? "retimed" : "given", label, from, to };
}
