import type { KeyNews, LockImpactItem, LockNews } from "@innkey/shared/schemas/overview/timeline";
import type { Transaction } from "../../kernel/transaction.ts";

/** State of one of a party's keys: a card that carries its own record, or a credential that locks store. */
interface KeyState {
  /** same for all rows of one key */
  thing: string;
  /** of the card, or of the credential */
  id: number;
  kind: KeyNews["kind"];
  label: string;
  written: boolean;
  oneTime: boolean;
  /** null: without end */
  validTo: string | null;
}

const LIVE_KEYS = `
SELECT 'card:' || d.id AS thing, d.id, 'card' AS kind, coalesce(nullif(d.note, ''), d.uid) AS label, true AS written,
  false AS "oneTime", iso(d.valid_to) AS "validTo"
FROM card d
WHERE d.hotel_id = $1 AND d.stay_id = $2::int AND NOT d.over_the_air AND d.state IN ('pending', 'active')
UNION ALL
SELECT concat(c.kind, ':', coalesce(c.passcode_id, c.card_id, c.face_id)), c.id, c.kind::text,
  coalesce(nullif(p.person, ''), nullif(d.note, ''), nullif(f.note, ''), d.uid, ''), false,
  coalesce(p.type = 'one_time', false), iso(c.valid_to)
FROM credential c
LEFT JOIN passcode p ON p.id = c.passcode_id
LEFT JOIN card d ON d.id = c.card_id
LEFT JOIN face f ON f.id = c.face_id
WHERE c.hotel_id = $1 AND c.stay_id = $2::int AND c.state NOT IN ('revoking', 'revoked')
ORDER BY 2`;

/** Returns the party's current keys. */
export function readKeys(tx: Transaction, stayId: number): Promise<KeyState[]> {
  return tx.sql.rows<KeyState>(LIVE_KEYS, stayId);
}

/** Ids of the credentials among the keys, which are those that locks store. */
export const credentialsOf = (keys: readonly KeyState[]): Set<number> =>
  new Set(keys.flatMap(({ id, written }) => (written ? [] : [id])));

/**
 * Compares the keys before and after a change and returns its effects beyond lock commands. `validTo`: when the keys
 * should end.
 */
export function keyNewsOf(before: readonly KeyState[], after: readonly KeyState[], validTo: string): KeyNews[] {
  const labels = new Set<string>();
  return before.flatMap((key): KeyNews[] => {
    if (labels.has(key.thing)) return [];
    labels.add(key.thing);
    const what = becomes(
      key,
      after.filter(({ thing: subject }) => subject === key.thing),
      validTo,
    );
    return what
      ? [{ kind: key.kind, label: key.label, what, until: what === "write_anew" ? null : untilOf(key, what) }]
      : [];
  });
}

function becomes(key: KeyState, after: readonly KeyState[], validTo: string): KeyNews["what"] | null {
  if (key.written) {
    if (after.length === 0) return "write_anew";
    if (key.validTo !== null && minuteOf(key.validTo) < minuteOf(validTo)) return "prolong";
    return key.validTo === null || minuteOf(key.validTo) > minuteOf(validTo) ? "opens_until" : null;
  }
  if (after.length === 0) return "ends";
  const old = after.some((other) => !other.oneTime && other.validTo !== null && other.validTo !== validTo);
  return old ? "keeps_old" : null;
}

const untilOf = (key: KeyState, what: KeyNews["what"]): string | null => (what === "ends" ? null : key.validTo);

/** Records on cards have a resolution of one minute. */
const minuteOf = (instant: string): number => Math.floor(Date.parse(instant) / 60_000);

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
