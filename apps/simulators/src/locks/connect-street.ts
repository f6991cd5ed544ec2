import { readFileSync } from "node:fs";
import { join } from "node:path";
import { lockUser } from "@innkey/shared/locks/protocol";
import type { LockRow } from "@innkey/shared/schemas/access/locks";
import { ConsoleApi } from "./console-api.ts";
import type { LockAccess } from "./lock-client.ts";
import { type Street, startStreet } from "./street.ts";
import { StreetFile } from "./street-file.ts";
import type { Traffic } from "./traffic.ts";

export interface StreetOrder {
  /** maximum number of locks */
  locks: number;
  server: string;
  dataDir: string;
  account: string;
  /** if undefined, the password of the demo hotel in the data folder */
  password: string | undefined;
  traffic: Traffic;
}

const MEMORY_FILE = "simulated-locks.json";

/**
 * Connects simulated locks as the console's own locks (driver mqtt). Locks that were set up elsewhere are skipped,
 * because connecting them would change their password. @throws Error with a message for the person who starts the
 * simulators
 */
export async function connectStreet(order: StreetOrder): Promise<{ street: Street; hotelName: string }> {
  const { server, dataDir, account, traffic } = order;
  const memoryFile = join(dataDir, MEMORY_FILE);
  const console = await ConsoleApi.logIn(server, account, order.password ?? demoPassword(dataDir));
  const streetFile = new StreetFile(memoryFile);
  const accessOf = ({ mac }: LockRow): LockAccess | undefined => streetFile.of(lockUser(console.hotel.id, mac))?.access;
  const ours = (await console.locks())
    .filter((lock) => lock.driver === "mqtt" && (accessOf(lock) || lock.configuredAt === null))
    .slice(0, order.locks);
  const accesses: (LockAccess & { name: string })[] = [];
  for (const lock of ours)
    accesses.push({ ...(accessOf(lock) ?? (await console.connect(lock))), name: lock.roomName ?? lock.mac });
  const renew = async (mac: string): Promise<LockAccess | null> => {
    const lock = (await console.locks()).find((row) => row.mac === mac);
    return lock && (!lock.online || lock.configuredAt === null) ? console.connect(lock) : null;
  };
  return { street: startStreet({ locks: accesses, memoryFile, traffic, renew }), hotelName: console.hotel.name };
}

function demoPassword(dataDir: string): string {
  const path = join(dataDir, "demo-password");
  try {
    return readFileSync(path, "utf8").split("\n")[0] ?? "";
  } catch {
    throw new Error(`There is no ${path}: say who connects the locks with --account and SIMULATORS_PASSWORD.`);
  }
}
