/**
 * Calls `act` repeatedly at `perHour`, at random intervals like guests and desks (exponential pauses), whether or not
 * earlier calls have finished. `act` gets the time it was due, in performance.now() milliseconds. Resolves after
 * `untilMs`, when all started calls have finished.
 */
export async function pace(
  perHour: number,
  untilMs: number,
  act: (intendedMs: number) => Promise<void>,
): Promise<void> {
  const running: Promise<void>[] = [];
  const meanMs = 3_600_000 / perHour;
  const pause = (): number => -Math.log(1 - Math.random()) * meanMs;
  for (let next = performance.now() + pause(); next < untilMs; next += pause()) {
    await at(next);
    running.push(act(next));
  }
  await at(untilMs);
  await Promise.all(running);
}

function at(momentMs: number): Promise<void> {
  const remainingMs = momentMs - performance.now();
  return remainingMs > 0 ? new Promise((resolve) => setTimeout(resolve, remainingMs)) : Promise.resolve();
}
