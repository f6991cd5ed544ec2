const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** A period as the desk chooses it: instants, `validFrom` null from now on. */
export type KeyPeriod = { ends: "until" | "permanent"; validFrom: string | null; validTo: string | null };

/** From now until this hour tomorrow. */
export function aDay(now = Date.now()): KeyPeriod {
  const hour = Math.ceil(now / HOUR_MS) * HOUR_MS;
  return { ends: "until", validFrom: null, validTo: new Date(hour + DAY_MS).toISOString() };
}
