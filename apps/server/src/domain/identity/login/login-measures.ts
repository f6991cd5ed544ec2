import { counter } from "../../../adapters/telemetry/metrics.ts";

/** Wrong passwords and unknown accounts, by the door they came to. */
export const loginsFailed = counter({
  name: "logins_failed_total",
  help: "Logins that were refused",
  labels: ["door"],
});
