import pg from "pg";

/** One statement of a request; the first that meets a database that hangs. */
export const ANSWER_MS = 15_000;

/** A statement with a callback as its last argument, or with a promise as its answer. */
type Query = (...args: unknown[]) => unknown;

/** What keeps its own time: cursors and copies, whose rows come as fast as they are taken, and whoever sets a limit itself. */
const keepsItsOwnTime = (statement: unknown): boolean =>
  typeof statement === "object" &&
  statement !== null &&
  (("submit" in statement && typeof statement.submit === "function") || "query_timeout" in statement);

/**
 * Connections that are given up when a statement is not answered for `answerMs`: a database that hangs, or a network that
 * swallows. pg's own `query_timeout` leaves the connection open with the statement still under way, and Prisma puts such a
 * one back into the pool, perhaps in the middle of a transaction; whoever got it next would write into that.
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
