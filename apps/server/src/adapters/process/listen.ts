import type { FastifyInstance } from "fastify";

const FIRST_PORT = 3000;
const TRIES = 100;

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
      if (candidate - FIRST_PORT >= TRIES) throw new Error(`No free port from ${FIRST_PORT} to ${candidate}.`);
    }
  }
}
