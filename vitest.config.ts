import { defineConfig } from "vitest/config";
import { serverTiers } from "./apps/server/test/tiers.ts";

// Tests are spread over two processes: the machine that matters has two cores.
export default defineConfig({
  test: {
    projects: ["packages/shared", ...serverTiers, "apps/web", "apps/simulators"],
    pool: "forks",
    maxWorkers: 2,
  },
});
