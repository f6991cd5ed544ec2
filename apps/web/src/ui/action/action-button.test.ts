import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const SOURCES = join(import.meta.dirname, "../..");
/** Matches the opening tag of a button up to the first `>` that belongs neither to a brace nor to an arrow. */
const BUTTON =
  /<(?:Button|ActionButton|IconButton)\b(?:[^{}>]|\{(?:[^{}]|\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\})*\})*>/g;
/** Buttons that wait for the server, or say whether they need it. */
const ANSWERED = /^<ActionButton\b|\bneedsServer\b/;
/** Buttons that change something, or open a dialog that does. */
const ACT =
  /onClick=\{.*(?:\.mutate(?:Async)?\(|\b(?:acts|again|locks)\.\w+\(|\b(?:stays|actions)\.(?!openStay\b)\w+|\.onSelect\b|\bask(?:To[A-Z]\w*)?\(|\bset(?:Act|Added|Adding|Asked|Asking|Choosing|Dialog|Edited|Editing|Erasing|Naming|Renaming)\(|\bon(?:Account|Add|Clean|Dirty|Edit|Group|Maintenance|Prices|Tell|Tick|WriteAgain)\b)/s;

const buttons = readdirSync(SOURCES, { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith(".tsx"))
  .flatMap((path) => {
    const text = readFileSync(join(SOURCES, path), "utf8");
    return [...text.matchAll(BUTTON)].map(([tag]) => ({ path, tag: tag.replaceAll(/\s+/g, " ") }));
  });

it("every button that changes something waits for the server or declares that it needn't", () => {
  expect(buttons.length).toBeGreaterThan(200);
  expect(buttons.filter(({ tag }) => ACT.test(tag)).length).toBeGreaterThan(50);
  expect(buttons.filter(({ tag }) => ACT.test(tag) && !ANSWERED.test(tag))).toEqual([]);
});
