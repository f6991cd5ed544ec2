import { expect, it } from "vitest";
import { createLogger } from "./logger.ts";

/** Returns the lines that `write` logs. */
function loggedLines(write: (log: ReturnType<typeof createLogger>) => void): string[] {
  const lines: string[] = [];
  write(createLogger("info", { write: (line) => void lines.push(line) }));
  return lines;
}

it("writes foreign text on one line, so that nobody can forge another line", () => {
  const forged = 'x\n{"level":60,"msg":"forged"}\r\n\u2028\u001b[2K';
  const lines = loggedLines((log) => log.info({ said: forged, req: { method: "GET", url: forged } }, forged));
  expect(lines).toHaveLength(1);
  expect(lines[0]?.match(/[\n\r]/g)).toEqual(["\n"]);
  expect(lines[0]).not.toContain("\u001b");
  expect(JSON.parse(lines[0] ?? "")).toMatchObject({ level: 30, said: forged, msg: forged });
});

it("writes the time in milliseconds since the epoch", () => {
  const before = Date.now();
  const [line = ""] = loggedLines((log) => log.warn("x"));
  const { time } = JSON.parse(line);
  expect(time).toBeGreaterThanOrEqual(before);
  expect(time).toBeLessThanOrEqual(Date.now());
});

it("leaves out secrets and the rows that database errors quote", () => {
  const error = Object.assign(new Error("duplicate"), {
    detail: "Key (name)=(Ann Lee)",
    where: "Ann Lee",
    code: "23505",
  });
  const text = loggedLines((log) => {
    log.info({ password: "s3cret", input: { token: "s3cret", cookie: "s3cret" } }, "x");
    log.error({ err: error, req: { method: "GET", url: "/api/guests?keyword=Ann+Lee" } }, "y");
  }).join("");
  expect(text).not.toMatch(/s3cret|Ann/);
  expect(text).toContain("23505");
});

it("leaves out quoted rows at every depth of an error, also of one that contains itself", () => {
  const row = Object.assign(new Error("duplicate"), {
    detail: "Key (name)=(Ann Lee)",
    where: "Ann Lee",
    code: "23505",
  });
  const cause = { kind: "postgres", code: "23514", detail: "Failing row contains (Ann Lee)" };
  const errors = [
    new AggregateError([row, new AggregateError([row])], "several"),
    new Error("outer", { cause: row }),
    Object.assign(new Error("outer"), { inner: row, list: [row] }),
    Object.assign(new Error("prisma"), { meta: { driverAdapterError: Object.assign(new Error("check"), { cause }) } }),
  ];
  const circle: Error & { self?: unknown } = new Error("circle");
  circle.self = { errors: [row], circle };
  const lines = loggedLines((log) => {
    for (const err of [...errors, circle]) log.error({ err }, "x");
  });
  expect(lines).toHaveLength(5);
  expect(lines.join("")).not.toContain("Ann");
  expect(lines[0]).toContain("23505");
  expect(lines[3]).toContain("23514");
});
