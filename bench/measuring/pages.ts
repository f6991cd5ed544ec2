import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

const docs = (name: string): string => fileURLToPath(new URL(`../../docs/operators/${name}`, import.meta.url));

/** Replaces the text between `<!-- name -->` and `<!-- /name -->` of a page with `text`. */
export async function rewrite(page: string, name: string, text: string): Promise<void> {
  const [begin, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const before = await readFile(docs(page), "utf8");
  const [from, to] = [before.indexOf(begin), before.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`docs/operators/${page} has no block "${name}"`);
  await writeFile(docs(page), `${before.slice(0, from + begin.length)}\n\n${text}\n\n${before.slice(to)}`);
}

export const writePicture = (name: string, svg: string): Promise<void> => writeFile(docs(name), svg);
