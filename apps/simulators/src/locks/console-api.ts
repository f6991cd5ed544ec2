import { type LockRow, lockAccess, lockRows } from "@innkey/shared/schemas/access/locks";
import { type Me, me } from "@innkey/shared/schemas/identity/auth";
import type { LockAccess } from "./lock-client.ts";

interface Reads<A> {
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
    const response = await ask(server, "auth.login", "", { account, password });
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

  private async call<A>(procedure: string, answer: Reads<A>, input?: object): Promise<A> {
    return answer.parse(await resultOf(await ask(this.server, procedure, this.cookie, input)));
  }
}

/** Calls a procedure: as a mutation if there is an input, otherwise as a query. */
async function ask(server: string, procedure: string, cookie: string, input?: object): Promise<Response> {
  const headers = { "content-type": "application/json", "x-innkey": "1", cookie };
  const body = input && JSON.stringify(input);
  try {
    return await fetch(new URL(`/api/trpc/${procedure}`, server), { method: body ? "POST" : "GET", headers, body });
  } catch (error) {
    throw new Error(`The console does not answer on ${server}: start it first, or say where it is with --server.`, {
      cause: error,
    });
  }
}

async function resultOf(response: Response): Promise<unknown> {
  const body: unknown = await response.json().catch(() => null);
  const { result, error } = Object(body);
  if (response.ok && result) return result.data;
  throw new Error(`The console said no: ${error?.message ?? response.status}`);
}
