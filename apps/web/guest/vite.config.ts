import { defineConfig, type Plugin } from "vite";
import { localeParts } from "../locale-parts.ts";

/**
 * The guests' page: a document with its script and style, and the texts of each language as a file that is loaded when
 * needed.
 */
export default defineConfig({
  plugins: [localeParts(), wholeDocument()],
  build: {
    // Ten-year-old phones get security updates of their browsers for a while yet; this is what those support.
    target: "es2020",
    // The policy of the page allows no data: addresses.
    assetsInlineLimit: 0,
    modulePreload: false,
    rolldownOptions: {
      input: { index: "index.html", sw: "src/service-worker.ts" },
      output: { entryFileNames: ({ name }) => (name === "sw" ? "sw.js" : "assets/[name]-[hash].js") },
    },
  },
});

/** Puts the script and the stylesheet into the document, because on a slow line each file takes half a second to begin. */
function wholeDocument(): Plugin {
  return {
    name: "innkey:whole-document",
    generateBundle: {
      // Vite itself still changes scripts in its turn.
      order: "post",
      handler(_options, bundle) {
        const document = bundle["index.html"];
        if (document?.type !== "asset") return this.error("there is no document");
        const take = (path: string): string => {
          const file = bundle[path];
          if (!file) return this.error(`there is no ${path}`);
          delete bundle[path];
          return file.type === "chunk" ? file.code : String(file.source);
        };
        document.source = String(document.source)
          .replace(/<script type="module" crossorigin src="\/(assets\/[^"]+)"><\/script>/, (_tag, path) => {
            // A file is found from the address of the document now.
            const script = take(path).replace(/import\(([`"'])\.\//g, "import($1/assets/");
            if (/<\/script|<!--/i.test(script)) return this.error("the script would end early inside a document");
            return `<script type="module">${script}</script>`;
          })
          .replace(/<link rel="stylesheet" crossorigin href="\/(assets\/[^"]+)">/, (_tag, path) => {
            return `<style>${take(path)}</style>`;
          });
      },
    },
  };
}
