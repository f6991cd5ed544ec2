import { install } from "./lib/install.mjs";
import { become, bin } from "./lib/process.mjs";
import { provide } from "./lib/system.mjs";

// npm run compose-test [-- start]: docker-compose.yml on a real engine, from the build to an upgrade; with `start` only as far as
// everything is healthy. It removes what there is of an installation by that engine, with its data, if --replace is given.
//   DOCKER           the docker command, where it is not `docker`
//   ENGINE_NETWORK   what to put before a program so that it runs in the engine's network, where that is not this machine's
await install();
await provide("chromium");
const [command, ...before] = [...(process.env.ENGINE_NETWORK ?? "").split(" ").filter(Boolean), bin("tsx")];
become(command, [...before, "e2e/compose/main.ts", ...process.argv.slice(2)]);
