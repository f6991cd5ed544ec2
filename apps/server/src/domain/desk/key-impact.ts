import type { KeyNews } from "@innkey/shared/schemas/timeline";
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
