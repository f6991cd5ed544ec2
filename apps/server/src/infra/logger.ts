import { type Logger, pino } from "pino";

export type { Logger };

/** What must never reach a log, wherever an object carries it. */
const SECRET_PATHS = [
  "req.headers.cookie",
  "req.headers.authorization",
  'res.headers["set-cookie"]',
  "password",
  "*.password",
  "token",
  "*.token",
];

/** JSON lines on standard error, so that standard output stays for the person at the terminal. */
export function createLogger(level: string): Logger {
  return pino(
    { level, base: null, redact: { paths: SECRET_PATHS, censor: "***" } },
    pino.destination({ dest: 2, sync: true }),
  );
}
