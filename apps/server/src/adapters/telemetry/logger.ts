import { type DestinationStream, type Logger, pino } from "pino";
import { sourceStack } from "./source-stack.ts";

export type { Logger };

/** Paths that the log censors in every object. */
const SECRET_PATHS = ["password", "*.password", "token", "*.token", "cookie", "*.cookie"];

/** Parts of a path that may be a secret; the shortest secret in an address is longer. */
const SECRET_PART = /[^/]{20,}/g;

/** Returns the path of an address without its query and without parts that may be a secret. */
export const pathWithoutSecrets = (url: string): string =>
  (url.split("?")[0] ?? "").replaceAll(SECRET_PART, "(hidden)");

/** Logs a request without its headers and query: searches contain guests' names and document numbers. */
function requestLine(request: { method: string; url: string; ip?: string }): object {
  return { method: request.method, path: pathWithoutSecrets(request.url), address: request.ip };
}

/** In them PostgreSQL quotes the rejected row, with the guest's name in it. */
const QUOTES_OF_ROWS: readonly string[] = ["detail", "where"];

/**
 * Returns a copy of what an error has, without the rows that PostgreSQL quotes, however deep an error of Prisma or of several
 * errors contains them. `copies`: the copies of what was met before, because errors may contain each other.
 */
function withoutRows(value: unknown, copies = new Map<object, unknown>()): unknown {
  if (typeof value !== "object" || value === null || "toJSON" in value) return value;
  if (copies.has(value)) return copies.get(value);
  if (Array.isArray(value)) {
    const list: unknown[] = [];
    copies.set(value, list);
    for (const item of value) list.push(withoutRows(item, copies));
    return list;
  }
  const copy: Record<string, unknown> = {};
  copies.set(value, copy);
  for (const [name, part] of Object.entries(value)) {
    if (!QUOTES_OF_ROWS.includes(name)) copy[name] = withoutRows(part, copies);
  }
  return copy;
}

/** Returns an error for the log, with a stack of the source and without quoted rows. */
function loggedError(error: Error): object {
  const { stack, ...rest } = withoutRows(pino.stdSerializers.err(error)) as { [name: string]: unknown };
  return { ...rest, ...(typeof stack === "string" && { stack: sourceStack(stack) }) };
}

/** Writes JSON lines to standard error, so that standard output stays free for the person at the terminal. */
export function createLogger(
  level: string,
  destination: DestinationStream = pino.destination({ dest: 2, sync: true }),
): Logger {
  return pino(
    {
      level,
      base: null,
      redact: { paths: SECRET_PATHS, censor: "***" },
      serializers: { req: requestLine, err: loggedError },
    },
    destination,
  );
}
