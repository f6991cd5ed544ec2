import type { Scope } from "./scope.ts";
import type { Unit } from "./unit.ts";

class RolledBack extends Error {}

/**
 * Runs `work` like a write, then rolls it back: nothing is stored, published or audited. Its result is what the write
 * would have returned at that moment. It waits for the same locks as the write.
 */
export async function rehearse<T>(scope: Scope, work: (unit: Unit) => Promise<T>): Promise<T> {
  let outcome: { value: T } | null = null;
  const take = (): { value: T } | null => outcome;
  try {
    await scope.write(async (unit) => {
      outcome = { value: await work(unit) };
      throw new RolledBack();
    });
  } catch (error) {
    const done = take();
    if (error instanceof RolledBack && done) return done.value;
    throw error;
  }
  throw new Error("a rehearsal was committed");
}
