const HARD_LIMIT_MS = 10_000;

/** What has to be closed, in the order it was opened; closed the other way round. */
export interface Shutdown {
  /** a start that is still under way has nothing more to say */
  readonly begun: boolean;
  /** `mayTakeMs`: how long it may wait for what is in work, on top of the time that all share */
  add(name: string, close: () => Promise<unknown>, mayTakeMs?: number): void;
  /** Closes everything and ends the process with `code`; also after 10 s and what was asked for, closed or not. */
  run(code: number): Promise<never>;
}

/** Ctrl-C and SIGTERM run it; a second Ctrl-C ends the process at once. */
export function createShutdown(): Shutdown {
  const opened: { name: string; close: () => Promise<unknown> }[] = [];
  let limitMs = HARD_LIMIT_MS;
  let running: Promise<never> | undefined;

  async function closeAll(code: number): Promise<never> {
    setTimeout(() => process.exit(1), limitMs).unref();
    let result = code;
    for (const { name, close } of opened.reverse()) {
      try {
        await close();
      } catch (error) {
        process.stderr.write(`${name} did not close: ${String(error)}\n`);
        result = 1;
      }
    }
    process.exit(result);
  }

  const shutdown: Shutdown = {
    get begun() {
      return running !== undefined;
    },
    add(name, close, mayTakeMs = 0) {
      limitMs += mayTakeMs;
      opened.push({ name, close });
    },
    run(code) {
      running ??= closeAll(code);
      return running;
    },
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.on(signal, () => {
      if (running) process.exit(1);
      process.stdout.write("\nStopping …\n");
      void shutdown.run(0);
    });
  }
  return shutdown;
}
