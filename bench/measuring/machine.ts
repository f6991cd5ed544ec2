import { execFileSync } from "node:child_process";
import { cpus, loadavg, totalmem } from "node:os";
import { ROOT } from "./folders.ts";
import type { Machine } from "./result.ts";

export const describeMachine = (): Machine => ({
  cores: cpus().length,
  processor: cpus()[0]?.model ?? "unknown",
  memoryGb: Math.round(totalmem() / 2 ** 30),
  loadAtStart: Number((loadavg()[0] ?? 0).toFixed(1)),
});

/** What a full run writes, and so may differ from the commit that it measures */
const WRITTEN = [":!bench/results", ":!docs", ":!README.md"];

/** Returns the short hash of the checked-out commit, with "+" if the program differs from it; null without a repository. */
export function currentCommit(): string | null {
  const git = (...args: string[]): string =>
    execFileSync("git", args, { cwd: ROOT, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
  try {
    const isChanged = git("status", "--porcelain", "--untracked-files=no", "--", ".", ...WRITTEN) !== "";
    return `${git("rev-parse", "--short", "HEAD")}${isChanged ? "+" : ""}`;
  } catch {
    return null;
  }
}
