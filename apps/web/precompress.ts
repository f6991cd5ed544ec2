import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import type { Plugin } from "vite";

const COMPRESSIBLE = /\.(?:js|css|svg|json)$/;
/** Files below this size fit into one packet, so compressing them saves nothing. */
const WORTH_BYTES = 1024;

/** Writes `.br` and `.gz` beside the files that the server sends, with the slowest and best compression. */
export function precompress(): Plugin {
  let directory = "";
  return {
    name: "innkey:precompress",
    apply: "build",
    configResolved: ({ root, build }) => {
      directory = resolve(root, build.outDir);
    },
    closeBundle() {
      for (const name of readdirSync(directory, { recursive: true, encoding: "utf8" })) {
        if (!COMPRESSIBLE.test(name)) continue;
        const path = join(directory, name);
        const content = readFileSync(path);
        if (content.length < WORTH_BYTES) continue;
        const params = { [constants.BROTLI_PARAM_SIZE_HINT]: content.length };
        writeFileSync(`${path}.br`, brotliCompressSync(content, { params }));
        writeFileSync(`${path}.gz`, gzipSync(content, { level: 9 }));
      }
    },
  };
}
