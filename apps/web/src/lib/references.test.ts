import type { Rolldown } from "vite";
import { expect, it } from "vitest";
import { findReferences, skipReferences } from "../../references.ts";

const file = (fileName: string, code: string, isEntry = false) =>
  ({ type: "chunk", fileName, code, isEntry }) as Rolldown.OutputChunk;

const bundleOf = (...files: Rolldown.OutputChunk[]): Rolldown.OutputBundle =>
  Object.fromEntries(files.map((one) => [one.fileName, one]));

it("a part that is in another file loads from there", () => {
  const start = file("assets/start.js", "lazy(()=>import(`./part.js`));import(`./whole.js`)", true);
  const part = file("assets/part.js", 'export{x as default,y}from"./frame.js";\n');
  const whole = file("assets/whole.js", "export const z=1;");
  const bundle = bundleOf(start, part, whole);
  expect([...findReferences(bundle).keys()]).toEqual(["assets/part.js"]);
  skipReferences(bundle);
  expect(start.code).toBe(
    'lazy(()=>import("./frame.js").then(e=>({get default(){return e.x},get y(){return e.y}})));import(`./whole.js`)',
  );
  expect(Object.keys(bundle)).toEqual(["assets/start.js", "assets/whole.js"]);
});

it("a reference that something else names stays", () => {
  const other = file("assets/other.js", 'import{y}from"./part.js";');
  const bundle = bundleOf(other, file("assets/part.js", 'export{x as y}from"./frame.js";'));
  skipReferences(bundle);
  expect(Object.keys(bundle)).toHaveLength(2);
});
