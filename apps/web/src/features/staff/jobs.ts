import { type Capability, GRANTABLE_CAPABILITIES } from "@innkey/shared/capabilities";

/** Common jobs in a hotel, with the permissions that they usually need. Each person's can be changed afterwards. */
export const JOBS = ["frontDesk", "night", "housekeeping", "technician"] as const;
export type Job = (typeof JOBS)[number];

/** Paying out, agreeing on prices, changing customers, closing days and exporting must be granted explicitly. */
const NOT_AT_THE_DESK: readonly Capability[] = [
  "folio.refund",
  "prices.agree",
  "customers.manage",
  "reports.close",
  "exports.make",
];

const FRONT_DESK = GRANTABLE_CAPABILITIES.filter((name) => !NOT_AT_THE_DESK.includes(name));

export const JOB_CAPABILITIES: Readonly<Record<Job, readonly Capability[]>> = {
  frontDesk: FRONT_DESK,
  night: [...FRONT_DESK, "reports.close"],
  housekeeping: ["rooms.view", "rooms.status", "hotel.view"],
  technician: [
    "rooms.view",
    "rooms.status",
    "locks.view",
    "locks.open",
    "locks.retry",
    "alerts.view",
    "alerts.manage",
    "cardReaders.view",
    "unlocks.view",
    "hotel.view",
  ],
};

/** Returns the job with exactly these permissions; null if there is none. */
export function jobOf(capabilities: readonly string[]): Job | null {
  const chosen = new Set(capabilities);
  return (
    JOBS.find((job) => {
      const names = JOB_CAPABILITIES[job];
      return names.length === chosen.size && names.every((name) => chosen.has(name));
    }) ?? null
  );
}
