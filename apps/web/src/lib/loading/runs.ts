/** Runs the work once for all callers. If it failed, it runs again for the next caller. */
export function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () => {
    done ??= work().catch((error: unknown) => {
      done = undefined;
      throw error;
    });
    return done;
  };
}

/** Runs `work` on request. All requests during a run cause one more run after it. */
export function oneAtATime(work: () => Promise<unknown>): () => void {
  let running = false;
  let again = false;
  const run = async (): Promise<void> => {
    if (running) {
      again = true;
      return;
    }
    running = true;
    again = false;
    await work().catch(() => undefined);
    running = false;
    if (again) await run();
  };
  return () => void run();
}
