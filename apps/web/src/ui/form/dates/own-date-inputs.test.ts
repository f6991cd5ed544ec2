import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const SOURCES = join(import.meta.dirname, "../../..");
const NATIVE = /type=(?:\{\s*)?["'`](?:date|time|datetime-local|month|week)["'`]/;

/** Returns whether a source shows an input of the browser for a date or time, which the browser writes its own way. */
const hasNativeInput = (source: string): boolean => NATIVE.test(source);

it("finds the inputs of the browser", () => {
  for (const type of ["date", "time", "datetime-local", "month", "week"])
    expect([type, hasNativeInput(`<Input type="${type}" />`), hasNativeInput(`<input type={'${type}'}>`)]).toEqual([
      ...[type, true, true],
    ]);
  expect(hasNativeInput('<Input type="text" data-type="dates" />')).toBe(false);
});

it("every date and time is typed into an input of ours", () => {
  const files = readdirSync(SOURCES, { recursive: true, encoding: "utf8" }).filter(
    (file) => /\.tsx?$/.test(file) && !file.endsWith(".test.ts"),
  );
  expect(files.length).toBeGreaterThan(300);
  expect(files.filter((file) => hasNativeInput(readFileSync(join(SOURCES, file), "utf8")))).toEqual([]);
});
