import { build } from "./build.mjs";
import { install } from "./lib/install.mjs";
import { become } from "./lib/process.mjs";

await install();
await build();
become(process.execPath, ["apps/server/dist/main.js", ...process.argv.slice(2)], {
  env: {
    NODE_ENV: process.env.NODE_ENV ?? "production",
    // Decoded pictures are large and short-lived. With these settings glibc returns their memory (68 instead of 158 MB
    // after five).
    MALLOC_ARENA_MAX: process.env.MALLOC_ARENA_MAX ?? "2",
    MALLOC_TRIM_THRESHOLD_: process.env.MALLOC_TRIM_THRESHOLD_ ?? "131072",
  },
});
