import type { LockCommand } from "../../../adapters/postgres/generated/client.ts";
import { histogram } from "../../../adapters/telemetry/metrics.ts";
import type { Scope } from "../../../kernel/scope.ts";
import type { Transaction } from "../../../kernel/transaction.ts";

/** Bucket limits in seconds, from a person waiting at a door up to a lock that is offline for hours. */
const SECONDS = [0.25, 1, 3, 10, 30, 120, 600, 3_600, 43_200];

const ended = histogram(
  {
    name: "lock_command_duration_seconds",
    help: "From when a command to a lock was written to its end; those that a newer one replaced don't count",
    labels: ["outcome"],
  },
  SECONDS,
);

/** Records the duration of a command when the transaction commits. */
export function measureEnd(
  scope: Scope,
  tx: Transaction,
  { createdAt }: LockCommand,
  outcome: "acknowledged" | "failed" | "expired",
): void {
  const seconds = Math.max(0, scope.now().getTime() - createdAt.getTime()) / 1000;
  tx.committed(() => ended.observe({ outcome }, seconds));
}
