/** Runs `work` when asked; what is asked for while it runs is one more run after it, however often. */
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
