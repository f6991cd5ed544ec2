import { parseArgs } from "node:util";
import { type ConnectOptions, connectStreet } from "./locks/connect-street.ts";
import { type Street, TRAFFIC } from "./locks/street.ts";
import { startSimulators } from "./simulators.ts";

// Runs the simulated desk devices, and with --locks the simulated locks, until Ctrl-C (docs/developers/simulators.md). The desk
// devices use the ports of the real services, which must not run at the same time.
const ANY_PORT = { http: 0, hid: 0, socket: 0, fingerprint: 0, control: 0 };
const DEFAULTS = { server: "http://127.0.0.1:3000", dataDir: ".data", account: "13800000001" };

const CONNECT_LIMIT_MS = 20_000;

const print = (...lines: string[]): void => void process.stdout.write(`${lines.join("\n")}\n`);

try {
  const { values } = parseArgs({
    options: {
      locks: { type: "string" },
      server: { type: "string" },
      account: { type: "string" },
      traffic: { type: "string" },
      "any-port": { type: "boolean" },
    },
  });
  const street = values.locks === undefined ? undefined : await startLocks(values.locks, values);
  const { urls, stop } = await startSimulators(values["any-port"] ? ANY_PORT : {}, street);
  print(
    `Put cards on the simulated reader:  ${urls.control}`,
    `  reader type 1  ${urls.http}`,
    `  reader type 2  ${urls.hid}`,
    `  reader type 3  ${urls.socket}`,
    `  fingerprint    ${urls.fingerprint}`,
  );
  const stopAll = async (): Promise<void> => {
    await Promise.all([street?.stop(), stop()]);
    process.exit(0);
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void stopAll());
} catch (error) {
  const { code, port, message } = Object(error) as { code?: string; port?: number; message?: string };
  const portMessage = `Port ${port} is taken: close the reader software or the other simulators first, or add --any-port.`;
  process.stderr.write(`${code === "EADDRINUSE" ? portMessage : message}\n`);
  process.exit(1);
}

async function startLocks(
  locks: string,
  options: { server?: string; account?: string; traffic?: string },
): Promise<Street> {
  const traffic = TRAFFIC.find((name) => name === (options.traffic ?? "normal"));
  if (!/^[1-9]\d*$/.test(locks)) throw new Error("--locks is the number of locks, for example --locks 60");
  if (!traffic) throw new Error(`--traffic is one of ${TRAFFIC.join(", ")}`);
  const connectOptions: ConnectOptions = {
    locks: Number(locks),
    server: options.server ?? DEFAULTS.server,
    dataDir: process.env.DATA_DIR || DEFAULTS.dataDir,
    account: options.account ?? (process.env.SIMULATORS_ACCOUNT || DEFAULTS.account),
    password: process.env.SIMULATORS_PASSWORD || undefined,
    traffic,
  };
  const { street, hotelName } = await connectStreet(connectOptions);
  const connectedCount = await street.awake(CONNECT_LIMIT_MS);
  print(`${connectedCount} of ${street.doors.length} locks of ${hotelName} are connected; traffic: ${traffic}`);
  return street;
}
