import { type DestinationStream, type Logger, pino } from "pino";

export type { Logger };

/** What must never reach a log, wherever an object carries it. */
const SECRET_PATHS = ["password", "*.password", "token", "*.token", "cookie", "*.cookie"];

/** A request without its headers and its query: searches name guests, and documents are searched by number. */
function requestLine(request: { method: string; url: string; ip?: string }): object {
  return { method: request.method, path: request.url.split("?")[0], address: request.ip };
}

/** PostgreSQL's detail quotes the row it refused, with the guest's name in it. */
function errorWithoutRows(error: Error): object {
  const { detail: _row, where: _where, ...rest } = pino.stdSerializers.err(error) as { [name: string]: unknown };
  return rest;
}

/** JSON lines on standard error, so that standard output stays for the person at the terminal. */
export function createLogger(
  level: string,
  destination: DestinationStream = pino.destination({ dest: 2, sync: true }),
): Logger {
  return pino(
    {
      level,
      base: null,
      redact: { paths: SECRET_PATHS, censor: "***" },
      serializers: { req: requestLine, err: errorWithoutRows },
    },
    destination,
  );
}
