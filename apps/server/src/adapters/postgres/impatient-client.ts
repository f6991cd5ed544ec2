import pg from "pg";

/** Time limit of one statement of a request, in milliseconds. */
export const ANSWER_MS = 15_000;

/** A query function that takes a callback as its last argument, or returns a promise. */
type Query = (...args: unknown[]) => unknown;

/**
 * Checks whether a statement is exempt: cursors and copies, whose rows arrive as fast as they are read, and statements
 * with their own limit.
 */
const keepsItsOwnTime = (statement: unknown): boolean =>
  typeof statement === "object" &&
  statement !== null &&
  (("submit" in statement && typeof statement.submit === "function") || "query_timeout" in statement);

/**
 * Closes a connection if a statement is not answered within `answerMs`, because the database hangs or the network drops
 * packets. pg's own `query_timeout` leaves the connection open with the statement still running, and Prisma returns it
 * to the pool, possibly in the middle of a transaction that the next user would then write into.
 */
export function impatientClient(answerMs: number): typeof pg.Client {
  return class extends pg.Client {
    // biome-ignore lint/suspicious/noExplicitAny: one implementation of pg's eight signatures
    override query(...args: any[]): any {
      const query = super.query.bind(this) as Query;
      if (keepsItsOwnTime(args[0])) return query(...args);
      const timer = setTimeout(() => this.#giveUp(), answerMs);
      const callback: unknown = args.at(-1);
      if (typeof callback === "function") {
        args[args.length - 1] = (...answer: unknown[]) => {
          clearTimeout(timer);
          callback(...answer);
        };
        return query(...args);
      }
      return (query(...args) as Promise<unknown>).finally(() => clearTimeout(timer));
    }

    #giveUp(): void {
      const { stream } = (
        this as unknown as { connection: { stream: NodeJS.WritableStream & { destroy(e: Error): void } } }
      ).connection;
      stream.destroy(new Error(`Connection terminated: the database did not answer for ${answerMs / 1000} s`));
    }
  } as typeof pg.Client;
}
