/**
 * Calls `act` again and again at `perHour`, at random like guests and desks do (exponential pauses), whether or not the
 * ones before are done. `act` gets the moment it was meant for, in performance.now() milliseconds. Resolves at the end of
 * `untilMs`, when all that were begun are over.
 */
export async function pace(
  perHour: number,
  untilMs: number,
  act: (intendedMs: number) => Promise<void>,
): Promise<void> {
  const begun: Promise<void>[] = [];
  const meanMs = 3_600_000 / perHour;
  const pause = (): number => -Math.log(1 - Math.random()) * meanMs;
  for (let next = performance.now() + pause(); next < untilMs; next += pause()) {
    await at(next);
    begun.push(act(next));
  }
  await at(untilMs);
  await Promise.all(begun);
}

function at(momentMs: number): Promise<void> {
  const left = momentMs - performance.now();
  return left > 0 ? new Promise((resolve) => setTimeout(resolve, left)) : Promise.resolve();
}
