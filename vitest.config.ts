import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { serverTiers } from "./apps/server/test/tiers.ts";

/** Files that start and kill whole servers and locks take longest. They go first, so that none of them ends alone. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification): boolean => /\/(simulators\/src|test\/system)\//.test(moduleId);
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

// Three processes for the two cores of the machine that matters: many tests wait for a fault to be noticed.
export default defineConfig({
  test: {
    projects: [
      "packages/shared",
      ...serverTiers,
      "apps/web",
      "apps/web/vitest.components.config.ts",
      "apps/simulators",
    ],
    pool: "forks",
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
  },
});
