import type { AuditEntry } from "./transaction.ts";

type Values = Readonly<Record<string, unknown>>;
type Changes = Required<Pick<AuditEntry, "before" | "after">>;

const MASK = "***";

/**
 * Texts in which people write about guests. They can be erased on request, but audit entries can't, so the audit
 * records only that they changed.
 */
export const FREE_TEXTS = ["bulletin", "description", "note", "notice", "text"];

/** Returns the values with those in `secrets` masked; empty ones stay, to show whether a value was set or cleared. */
export function masked(values: Values, secrets: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => [key, secrets.includes(key) && value ? MASK : value]),
  );
}

/** Returns a change without undefined fields, so that those stay as they are. */
export function withoutUndefined<Change extends object>(
  change: Change,
): { [Key in keyof Change]: Exclude<Change[Key], undefined> } {
  return Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)) as never;
}

/**
 * Returns what an edit changed, for the audit: only the fields of `after` that differ from `before`, with those in
 * `secrets` masked. Returns null if nothing changed, so that saving an unchanged form adds no entry.
 */
export function changesOf(before: Values, after: Values, secrets: readonly string[] = []): Changes | null {
  const changed = Object.keys(after).filter((key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]));
  if (changed.length === 0) return null;
  const pick = (values: Values) => masked(Object.fromEntries(changed.map((key) => [key, values[key]])), secrets);
  return { before: pick(before), after: pick(after) };
}
