import { readFileSync } from "node:fs";
import { join } from "node:path";
import { lockUser } from "@innkey/shared/locks/protocol";
import { type LockRow, lockAccess, lockRows } from "@innkey/shared/schemas/access/locks";
import { type Me, me } from "@innkey/shared/schemas/identity/auth";
import type { LockAccess } from "./lock-client.ts";
import { type Street, StreetFile, startStreet, type Traffic } from "./street.ts";

interface Parser<A> {
  parse(raw: unknown): A;
}

/** Client for a running console: logs in and connects locks as an installer does. */
export class ConsoleApi {
  readonly hotel: Me["hotel"];
  private readonly server: string;
  private readonly cookie: string;

  private constructor(server: string, cookie: string, hotel: Me["hotel"]) {
    this.server = server;
    this.cookie = cookie;
    this.hotel = hotel;
  }

  /** @throws Error with a message for the person who starts the simulators */
  static async logIn(server: string, account: string, password: string): Promise<ConsoleApi> {
    const response = await callServer(server, "auth.login", "", { account, password });
    const cookie = response.headers.getSetCookie().map((line) => line.split(";")[0]);
    const { hotel } = me.parse(await resultOf(response));
    return new ConsoleApi(server, cookie.join("; "), hotel);
  }

  locks(): Promise<LockRow[]> {
    return this.call("locks.list", lockRows);
  }

  /** Sets a new broker password for the lock, which invalidates the old one. */
  async connect(lock: Pick<LockRow, "id" | "mac">): Promise<LockAccess> {
    const { url, user, password, pairingSecret } = await this.call("locks.connect", lockAccess, { lockId: lock.id });
    return { url, user, password, pairingSecret, hotelId: this.hotel.id, mac: lock.mac };
  }

  private async call<A>(procedure: string, answer: Parser<A>, input?: object): Promise<A> {
    return answer.parse(await resultOf(await callServer(this.server, procedure, this.cookie, input)));
  }
}

/** Calls a procedure: as a mutation if there is an input, otherwise as a query. */
async function callServer(server: string, procedure: string, cookie: string, input?: object): Promise<Response> {
  const headers = { "content-type": "application/json", "x-innkey": "1", cookie };
  const body = input && JSON.stringify(input);
  try {
    return await fetch(new URL(`/api/trpc/${procedure}`, server), { method: body ? "POST" : "GET", headers, body });
  } catch (error) {
    throw new Error(`The console does not answer on ${server}: start it first, or set its address with --server.`, {
      cause: error,
    });
  }
}

async function resultOf(response: Response): Promise<unknown> {
  const body: unknown = await response.json().catch(() => null);
  const { result, error } = Object(body);
  if (response.ok && result) return result.data;
  throw new Error(`The console refused: ${error?.message ?? response.status}`);
}

export interface ConnectOptions {
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
export async function connectStreet(options: ConnectOptions): Promise<{ street: Street; hotelName: string }> {
  const { server, dataDir, account, traffic } = options;
  const memoryFile = join(dataDir, MEMORY_FILE);
  const console = await ConsoleApi.logIn(server, account, options.password ?? demoPassword(dataDir));
  const streetFile = new StreetFile(memoryFile);
  const accessOf = ({ mac }: LockRow): LockAccess | undefined => streetFile.of(lockUser(console.hotel.id, mac))?.access;
  const ownLocks = (await console.locks())
    .filter((lock) => lock.driver === "mqtt" && (accessOf(lock) || lock.configuredAt === null))
    .slice(0, options.locks);
  const accesses: (LockAccess & { name: string })[] = [];
  for (const lock of ownLocks)
    accesses.push({ ...(accessOf(lock) ?? (await console.connect(lock))), name: lock.roomName ?? lock.mac });
  const renewAccess = async (mac: string): Promise<LockAccess | null> => {
    const lock = (await console.locks()).find((row) => row.mac === mac);
    return lock && (!lock.online || lock.configuredAt === null) ? console.connect(lock) : null;
  };
  return {
    street: startStreet({ locks: accesses, memoryFile, traffic, renew: renewAccess }),
    hotelName: console.hotel.name,
  };
}

function demoPassword(dataDir: string): string {
  const path = join(dataDir, "demo-password");
  try {
    return readFileSync(path, "utf8").split("\n")[0] ?? "";
  } catch {
    throw new Error(`There is no ${path}: set the account with --account and SIMULATORS_PASSWORD.`);
  }
}
