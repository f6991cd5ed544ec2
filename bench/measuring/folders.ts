import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The repository */
export const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** Results of full runs, which the pages show */
export const RESULTS = join(ROOT, "bench/results");

/** Results of all other runs */
export const TRIALS = join(ROOT, ".tmp/bench");
