import { join } from "node:path";
import { build } from "./build.mjs";
import { install } from "./lib/install.mjs";
import { become, bin } from "./lib/process.mjs";

// npm run zigbee2mqtt-test: described in foreign/zigbee2mqtt/main.ts.
await install();
await build();
become(bin("tsx"), [join("foreign", "zigbee2mqtt", "main.ts"), ...process.argv.slice(2)]);
