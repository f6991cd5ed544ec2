import type { FastifyInstance } from "fastify";

const FIRST_PORT = 3000;
const MAX_PORTS_TRIED = 100;

/** Returns the address to open in a browser on this machine. */
function addressOf(host: string, port: number): string {
  const name = ["127.0.0.1", "0.0.0.0", "::", "::1", "localhost"].includes(host) ? "localhost" : host;
  return `http://${name.includes(":") ? `[${name}]` : name}:${port}`;
}

/**
 * Listens on `port` if set, else on 3000 or the next free port, and returns the address to open.
 * @throws Error with a message for the operator if the port is taken or not permitted
 */
export async function listen(app: FastifyInstance, host: string, port: number | undefined): Promise<string> {
  for (let candidate = port ?? FIRST_PORT; ; candidate += 1) {
    try {
      await app.listen({ host, port: candidate });
      const bound = app.server.address();
      return addressOf(host, bound !== null && typeof bound === "object" ? bound.port : candidate);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code !== "EADDRINUSE" && code !== "EACCES") throw error;
      if (port !== undefined)
        throw new Error(`Port ${port} is ${code === "EACCES" ? "not allowed" : "taken"}. Set another PORT.`);
      if (candidate - FIRST_PORT >= MAX_PORTS_TRIED)
        throw new Error(`No free port from ${FIRST_PORT} to ${candidate}.`);
    }
  }
}

const HARD_LIMIT_MS = 10_000;
/** npm passes Ctrl-C on to a process that has just received it from the terminal; both together count once. */
const SAME_SIGNAL_MS = 500;
const PARENT_CHECK_MS = 500;

/** Resources to close, in reverse order of opening. */
export interface Shutdown {
  /** true once a shutdown has begun; a start still in progress then prints nothing */
  readonly hasBegun: boolean;
  /** `extraMs`: how long closing may wait for work in progress, in addition to the time shared by all */
  add(name: string, close: () => Promise<unknown>, extraMs?: number): void;
  /**
   * Closes everything and ends the process with `code`, at the latest after 10 s plus the additional time requested.
   */
  run(code: number): Promise<never>;
}

/**
 * Ctrl-C and SIGTERM start the shutdown; a second Ctrl-C ends the process immediately. Below `npm start`, so does the end
 * of npm.
 */
export function createShutdown(): Shutdown {
  const opened: { name: string; close: () => Promise<unknown> }[] = [];
  let limitMs = HARD_LIMIT_MS;
  let running: Promise<never> | undefined;
  let begunAt = 0;

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
    get hasBegun() {
      return running !== undefined;
    },
    add(name, close, extraMs = 0) {
      limitMs += extraMs;
      opened.push({ name, close });
    },
    run(code) {
      running ??= closeAll(code);
      return running;
    },
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.on(signal, () => {
      if (running) {
        if (performance.now() - begunAt > SAME_SIGNAL_MS) process.exit(1);
        return;
      }
      begunAt = performance.now();
      process.stdout.write("\nStopping …\n");
      void shutdown.run(0);
    });
  }
  if (process.env.npm_lifecycle_event === "start") stopWithParent(() => void shutdown.run(0));
  return shutdown;
}

/** npm can be killed without telling the process that it started. */
function stopWithParent(stop: () => void): void {
  const parent = process.ppid;
  setInterval(() => process.ppid !== parent && stop(), PARENT_CHECK_MS).unref();
}
