import type pg from "pg";
import type { Tracing } from "../telemetry/span.ts";

const VERB = /^\s*(?:--[^\n]*\n\s*)*([a-z]+)/i;

/**
 * Makes every statement of the pool a span with its name or its first word. The text is left out, since it can quote
 * people.
 */
export function tracePool(pool: pg.Pool, tracing: Tracing): void {
  pool.on("connect", (client) => traceClient(client, tracing));
  const connect = pool.connect.bind(pool) as (callback?: (...answer: unknown[]) => void) => unknown;
  // A waiting caller is called back by the code that released the connection; the binding keeps the caller's own span.
  pool.connect = ((callback?: (...answer: unknown[]) => void) =>
    connect(callback && tracing.bind(callback))) as typeof pool.connect;
}

function traceClient(client: pg.ClientBase, tracing: Tracing): void {
  const query = client.query.bind(client) as (...args: unknown[]) => unknown;
  client.query = ((...args: unknown[]) => {
    const name = nameOf(args[0]);
    if (name === null) return query(...args);
    const span = tracing.open("client", name, { "db.system.name": "postgresql", "db.operation.name": name });
    const last = args.length - 1;
    const callback = args[last];
    if (typeof callback === "function") {
      args[last] = (error: unknown, ...answer: unknown[]) => {
        span.end({}, error != null);
        callback(error, ...answer);
      };
      return query(...args);
    }
    return (query(...args) as Promise<unknown>).then(
      (result) => {
        span.end({}, false);
        return result;
      },
      (error: unknown) => {
        span.end({}, true);
        throw error;
      },
    );
  }) as typeof client.query;
}

/** Returns null for a cursor or a copy, which do not return results by a promise. */
function nameOf(query: unknown): string | null {
  if (typeof query === "string") return verbOf(query);
  const { name, text, submit } = query as { name?: string; text?: string; submit?: unknown };
  if (typeof submit === "function" || typeof text !== "string") return null;
  return name ?? verbOf(text);
}

const verbOf = (text: string): string => VERB.exec(text)?.[1]?.toUpperCase() ?? "SQL";
