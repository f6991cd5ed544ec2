import { install } from "./lib/install.mjs";
import { become, bin } from "./lib/process.mjs";
import { provide } from "./lib/system.mjs";

// npm run compose-test [-- start]: tests docker-compose.yml on a real engine, from the build to an upgrade; with
// `start` only until everything is healthy. With --replace it removes an existing installation on that engine,
// including its data.
//   DOCKER           the docker command, if it is not `docker`
//   ENGINE_NETWORK   command prefix that runs a program in the engine's network, if that is not this machine's
await install();
await provide("chromium");
const [command, ...before] = [...(process.env.ENGINE_NETWORK ?? "").split(" ").filter(Boolean), bin("tsx")];
become(command, [...before, "e2e/compose/main.ts", ...process.argv.slice(2)]);
