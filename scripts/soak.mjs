import { join } from "node:path";
import { build } from "./build.mjs";
import { install } from "./lib/install.mjs";
import { become, bin } from "./lib/process.mjs";
import { provide } from "./lib/system.mjs";

// npm run soak [-- --minutes 10 --rooms 500 --locks 1000 --factor 10 --redis --workers --tiny]: described in
// bench/soak/main.ts. npm run soak -- storm: apps/simulators/src/locks/storm.test.ts with fifty locks, a thousand
// commands and a hundred thousand events.
await install();
await build();
const [what] = process.argv.slice(2);
if (what === "storm") {
  process.env.STORM = "full";
  await provide("mosquitto");
  become(bin("vitest"), ["run", "apps/simulators/src/locks/storm.test.ts"]);
} else {
  become(bin("tsx"), [join("bench", "soak", "main.ts"), ...process.argv.slice(2)]);
}
