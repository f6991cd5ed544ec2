import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, it } from "vitest";

let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "innkey-stack-"));
  const logger = JSON.stringify(join(import.meta.dirname, "logger.ts"));
  const stacks = JSON.stringify(join(import.meta.dirname, "source-stack.ts"));
  writeFileSync(
    join(folder, "program.ts"),
    `import { createLogger } from ${logger};
import { showSourceOfFatalErrors } from ${stacks};

interface Door { open(): void }
const door: Door = {
  open() {
    throw new Error("stuck");
  },
};
showSourceOfFatalErrors();
try {
  door.open();
} catch (error) {
  createLogger("info").error({ err: error }, "failed");
}
if (process.argv[2] === "fatal") door.open();
`,
  );
  await build({
    ...{ entryPoints: [join(folder, "program.ts")], outfile: join(folder, "program.mjs.js"), bundle: true },
    ...{ format: "cjs", platform: "node", sourcemap: true, minify: true, logLevel: "silent" },
  });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function run(...args: string[]) {
  return spawnSync(process.execPath, [join(folder, "program.mjs.js"), ...args], { cwd: folder, encoding: "utf8" });
}

it("shows where in the source a logged error comes from", () => {
  const { stderr, status } = run();
  expect(status).toBe(0);
  const { err } = JSON.parse(stderr) as { err: { stack: string } };
  expect(err.stack).toContain("Error: stuck\n    at Object.open (program.ts:7:11)");
});

it("shows it for an error that ends the process", () => {
  const { stderr, status } = run("fatal");
  expect(status).toBe(1);
  expect(stderr.split("\n").slice(1).join("\n")).toContain("Error: stuck\n    at Object.open (program.ts:7:11)");
});

it("leaves files without a map and other texts as they are", async () => {
  const { sourceStack } = await import("./source-stack.ts");
  const stack = `Error: no\n    at f (file:///nowhere/x.js:1:2)\n    at node:internal/x:1:2\n    at ${import.meta.filename}:3:4`;
  expect(sourceStack(stack)).toBe(stack);
});
