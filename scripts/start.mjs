import { build } from "./build.mjs";
import { install } from "./lib/install.mjs";
import { become } from "./lib/process.mjs";

await install();
await build();
become(process.execPath, ["--enable-source-maps", "apps/server/dist/main.js", ...process.argv.slice(2)], {
  env: { NODE_ENV: process.env.NODE_ENV ?? "production" },
});
