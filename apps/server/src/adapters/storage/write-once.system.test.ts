import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { build } from "esbuild";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { writeOnce } from "./write-once.ts";

const { linkSync } = vi.hoisted(() => ({ linkSync: vi.fn() }));
vi.mock("node:fs", async (importActual) => {
  const actual = await importActual<typeof import("node:fs")>();
  linkSync.mockImplementation(actual.linkSync);
  return { ...actual, linkSync };
});

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "innkey-once-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it("creates a file for its owner only, and keeps one that exists", () => {
  const path = join(folder, "key");
  writeOnce(path, "first");
  writeOnce(path, "second");
  expect(readFileSync(path, "utf8")).toBe("first");
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder)).toEqual(["key"]);
});

it("does the same on a file system without links", () => {
  linkSync.mockImplementation(() => {
    throw Object.assign(new Error("not permitted"), { code: "EPERM" });
  });
  const path = join(folder, "key");
  writeOnce(path, "first");
  writeOnce(path, "second");
  expect(readFileSync(path, "utf8")).toBe("first");
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder)).toEqual(["key"]);
});

it("gives processes that start together the same whole text", async () => {
  const files = 200;
  const program = join(folder, "program.cjs");
  writeFileSync(
    join(folder, "program.ts"),
    `import { readFileSync } from "node:fs";
import { writeOnce } from ${JSON.stringify(join(import.meta.dirname, "write-once.ts"))};
const seen: string[] = [];
for (let n = 0; n < ${files}; n += 1) {
  writeOnce(\`\${process.argv[2]}/key-\${n}\`, \`\${process.pid} \${"x".repeat(4000)}\`);
  seen.push(readFileSync(\`\${process.argv[2]}/key-\${n}\`, "utf8"));
}
if (seen.some((text) => text.length < 4001)) throw new Error("half a text");
process.stdout.write(seen.map((text) => text.split(" ")[0]).join());
`,
  );
  await build({ entryPoints: [join(folder, "program.ts")], outfile: program, bundle: true, platform: "node" });
  const outputs = await Promise.all(
    Array.from({ length: 4 }, async () => {
      const child = spawn(process.execPath, [program, folder], { stdio: ["ignore", "pipe", "inherit"] });
      const [output, [code]] = await Promise.all([text(child.stdout), once(child, "exit")]);
      expect(code).toBe(0);
      return output;
    }),
  );
  expect(new Set(outputs).size).toBe(1);
  expect(outputs[0]?.split(",")).toHaveLength(files);
});
