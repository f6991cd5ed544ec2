import { counter } from "../../../adapters/telemetry/metrics.ts";

/** Counts wrong passwords and unknown accounts, by channel. */
export const loginsFailed = counter({
  name: "logins_failed_total",
  help: "Logins that were refused",
  labels: ["door"],
});
