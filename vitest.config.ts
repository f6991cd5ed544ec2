import { defineConfig } from "vitest/config";

// Tests are spread over two processes: the machine that matters has two cores.
export default defineConfig({
  test: {
    projects: ["packages/shared", "apps/server", "apps/web", "apps/simulators"],
    pool: "forks",
    maxWorkers: 2,
  },
});
