import { Buffer } from "node:buffer";
import { readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";

const COMPILER = "query-compiler.wasm";
const GRAPH = /graph: "([\w-]+)"/;
const COMPILER_AS_TEXT =
  /const \{ wasm \} = await import\("(@prisma\/client\/runtime\/query_compiler_[\w.]+\.wasm-base64\.mjs)"\)\s+return await decodeBase64AsWasm\(wasm\)/;

/**
 * Makes esbuild change two things in Prisma's generated client, which would cost 24 MB of memory: its query compiler,
 * a text that stays in memory, becomes a file in `folder`, and its parameter graph is sorted.
 */
export const slimDatabaseClient = (folder) => ({
  name: "slim-database-client",
  setup(build) {
    build.onLoad({ filter: /[\\/]generated[\\/]internal[\\/]class\.ts$/ }, async ({ path }) => {
      const source = await readFile(path, "utf8");
      const [, graph] = GRAPH.exec(source) ?? [];
      const [statement, compiler] = COMPILER_AS_TEXT.exec(source) ?? [];
      if (graph === undefined || statement === undefined) throw new Error(`${path} is not as expected`);
      const { wasm } = await import(createRequire(path).resolve(compiler));
      await writeFile(join(folder, COMPILER), Buffer.from(wasm, "base64"));
      // The bundle has this client in a file directly in `folder`, because several programs share it.
      const read = `const { readFile } = await import("node:fs/promises")
    return new WebAssembly.Module(await readFile(new URL("./${COMPILER}", import.meta.url)))`;
      return {
        contents: source.replace(graph, sortParameterGraph(graph)).replace(statement, read),
        loader: "ts",
      };
    });
  },
});

/**
 * Sorts the edges of each node of Prisma's parameter graph by their keys, from the highest down. Prisma makes each node
 * an object with these numbers as keys. If a small number comes first, V8 keeps an array with a place for every number
 * up to the largest, 12 kB for each of a thousand nodes, and if one above 1,023 comes first, only what is there.
 * @param {string} graph as in the generated client: base64url of numbers of input nodes, output nodes and roots, then
 *   the edges of each node, then the roots
 * @throws Error if the graph has another form
 */
export function sortParameterGraph(graph) {
  const reader = new Reader(Buffer.from(graph, "base64url"));
  const [inputs, outputs, roots] = [reader.number(), reader.number(), reader.number()];
  const parts = [reader.passed(0)];
  const nodes = [
    // The mask of the scalar types has two bytes and the flags have one; all other fields are numbers of variable length.
    ...Array(inputs).fill(() => reader.skip(2).skipNumbers(2).skip(1)),
    ...Array(outputs).fill(() => reader.skipNumbers(2)),
  ];
  for (const skipRest of nodes) {
    const start = reader.position;
    const count = reader.number();
    parts.push(reader.passed(start));
    const edges = Array.from({ length: count }, () => {
      const from = reader.position;
      const key = reader.number();
      skipRest();
      return { key, bytes: reader.passed(from) };
    });
    parts.push(...edges.sort((one, other) => other.key - one.key).map(({ bytes }) => bytes));
  }
  const start = reader.position;
  for (let root = 0; root < roots; root += 1) reader.skipNumbers(3);
  parts.push(reader.passed(start));
  if (!reader.isAtEnd) throw new Error("The parameter graph of Prisma's client has another form than expected");
  return Buffer.concat(parts).toString("base64url");
}

class Reader {
  position = 0;
  #bytes;

  constructor(bytes) {
    this.#bytes = bytes;
  }

  get isAtEnd() {
    return this.position === this.#bytes.length;
  }

  /** Reads a number of variable length: seven bits in each byte, the lowest first. */
  number() {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.#bytes[this.position];
      if (byte === undefined) throw new Error("The parameter graph of Prisma's client ends too early");
      this.position += 1;
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  }

  skipNumbers(count) {
    for (let at = 0; at < count; at += 1) this.number();
    return this;
  }

  skip(bytes) {
    this.position += bytes;
    return this;
  }

  passed(start) {
    return this.#bytes.subarray(start, this.position);
  }
}
