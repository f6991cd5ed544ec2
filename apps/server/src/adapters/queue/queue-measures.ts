import { counter, histogram } from "../telemetry/metrics.ts";

const finished = counter({ name: "jobs_total", help: "Tries of jobs that ended", labels: ["job", "outcome"] });
const seconds = histogram(
  { name: "job_duration_seconds", help: "How long a try of a job took", labels: ["job"] },
  [0.005, 0.02, 0.1, 0.5, 2, 10, 60, 300],
);

/** Counts an attempt at a job and measures its duration. */
export async function measuredJob(job: string, work: () => Promise<void>): Promise<void> {
  const stop = seconds.startTimer({ job });
  try {
    await work();
    finished.inc({ job, outcome: "completed" });
  } catch (error) {
    finished.inc({ job, outcome: "failed" });
    throw error;
  } finally {
    stop();
  }
}
