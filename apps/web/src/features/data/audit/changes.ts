export type Change = { field: string; before: string | null; after: string | null };

type Values = Record<string, unknown>;

function isValues(value: unknown): value is Values {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function formatValue(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** The fields that an act set or changed; what stayed the same is left out. */
export function changesOf(before: unknown, after: unknown): Change[] {
  const was = isValues(before) ? before : {};
  const is = isValues(after) ? after : {};
  const fields = [...new Set([...Object.keys(was), ...Object.keys(is)])];
  return fields
    .map((field) => ({ field, before: formatValue(was[field]), after: formatValue(is[field]) }))
    .filter((change) => change.before !== change.after);
}
