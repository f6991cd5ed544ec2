import type { Scope } from "./scope.ts";
import type { Transaction } from "./transaction.ts";

class RolledBack extends Error {}

/**
 * Runs `work` like a write, then rolls it back: nothing is stored, published or audited. Its result is what the write
 * would have returned at that moment. It waits for the same locks as the write.
 */
export async function rehearse<T>(scope: Scope, work: (tx: Transaction) => Promise<T>): Promise<T> {
  let outcome: { value: T } | null = null;
  const take = (): { value: T } | null => outcome;
  try {
    await scope.write(async (tx) => {
      outcome = { value: await work(tx) };
      throw new RolledBack();
    });
  } catch (error) {
    const done = take();
    if (error instanceof RolledBack && done) return done.value;
    throw error;
  }
  throw new Error("a rehearsal was committed");
}
