import { histogram } from "../../adapters/telemetry/metrics.ts";

/** Measured per procedure, because one request may carry several. */
export const procedureSeconds = histogram(
  {
    name: "procedure_duration_seconds",
    help: "How long a procedure of the console took",
    labels: ["procedure", "outcome"],
  },
  [0.005, 0.02, 0.05, 0.1, 0.25, 1, 5, 40],
);
