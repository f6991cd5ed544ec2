import { Agent, createServer, request as httpRequest, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { Desk } from "../clients/desk.ts";
import { addRoom, type Cluster, checkIn, openHotel, type ServerProcess, startCluster } from "../processes/cluster.ts";

/** A minimal load balancer: checks /readyz, sends each request to the next server, and never retries. */
class Balancer {
  readonly url: string;
  readonly #server: Server;
  readonly #agent = new Agent({ keepAlive: true });
  readonly #targets = new Map<string, boolean>();
  readonly #timer: NodeJS.Timeout;
  #turn = 0;

  static async start(servers: readonly { url: string }[]): Promise<Balancer> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const balancer = new Balancer(server);
    for (const { url } of servers) await balancer.add(url);
    return balancer;
  }

  private constructor(server: Server) {
    this.#server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    this.#timer = setInterval(() => void this.#look(), 100);
    server.on("request", (incoming, outgoing) => {
      const ready = [...this.#targets].flatMap(([url, isReady]) => (isReady ? [url] : []));
      this.#turn += 1;
      const target = ready[this.#turn % ready.length];
      if (target === undefined) {
        outgoing.writeHead(502).end();
        return;
      }
      const sent = httpRequest(
        new URL(incoming.url ?? "/", target),
        { agent: this.#agent, method: incoming.method, headers: incoming.headers },
        (answer) => {
          const { connection: _hop, ...headers } = answer.headers;
          outgoing.writeHead(answer.statusCode ?? 502, headers);
          answer.pipe(outgoing);
        },
      );
      sent.on("error", () => (outgoing.headersSent ? outgoing.destroy() : outgoing.writeHead(502).end()));
      incoming.pipe(sent);
    });
  }

  async add(url: string): Promise<void> {
    this.#targets.set(url, false);
    await this.#look();
  }

  remove(url: string): void {
    this.#targets.delete(url);
  }

  isReady(url: string): boolean {
    return this.#targets.get(url) === true;
  }

  close(): void {
    clearInterval(this.#timer);
    this.#agent.destroy();
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #look(): Promise<void> {
    await Promise.all(
      [...this.#targets.keys()].map(async (url) => {
        const ready = await fetch(`${url}/readyz`).then(
          ({ ok }) => ok,
          () => false,
        );
        if (this.#targets.has(url)) this.#targets.set(url, ready);
      }),
    );
  }
}

const WAIT = { timeout: 60_000, interval: 25 };
const DRAIN = { SHUTDOWN_DRAIN_SECONDS: "1" };
const READERS = 4;
const PAUSE_MS = 20;

let cluster: Cluster;
let balancer: Balancer;
let owner: Desk;
const webs: ServerProcess[] = [];
const workers: ServerProcess[] = [];

beforeAll(async () => {
  cluster = await startCluster();
  webs.push(...(await Promise.all([cluster.web(DRAIN), cluster.web(DRAIN)])));
  workers.push(...(await Promise.all([cluster.worker(DRAIN), cluster.worker(DRAIN)])));
  balancer = await Balancer.start(webs);
  owner = await openHotel(balancer);
}, 300_000);

afterAll(async () => {
  balancer?.close();
  await cluster?.close();
});

it("restarts servers and workers one after the other under load without a failed request", async () => {
  const watching = Desk.with(owner);
  const board = await watching.watchBoard(balancer);

  const failures: string[] = [];
  const acknowledged: number[] = [];
  let reads = 0;
  let loading = true;
  const recordFailure = (act: string) => (error: unknown) => failures.push(`${act}: ${String(error)}`);
  const reader = async (): Promise<void> => {
    while (loading) {
      const response = await fetch(`${balancer.url}/api/board`, { headers: owner.headers(balancer.url) }).catch(
        recordFailure("board"),
      );
      if (response instanceof Response && (!response.ok || !(await response.text())))
        failures.push(`board ${response.status}`);
      reads += 1;
      await delay(PAUSE_MS);
    }
  };
  const writer = async (): Promise<void> => {
    for (let n = 0; loading; n += 1) {
      await addRoom(owner, balancer, `Room ${n}`)
        .then((roomId) => checkIn(owner, balancer, roomId, `Guest ${n}`))
        .then((stayId) => acknowledged.push(stayId), recordFailure("check-in"));
      await delay(PAUSE_MS);
    }
  };
  const load = Promise.all([writer(), ...Array.from({ length: READERS }, reader)]);

  const codes: (number | null)[] = [];
  const exchange = async (servers: ServerProcess[], at: number, start: () => Promise<ServerProcess>): Promise<void> => {
    const old = servers[at];
    if (!old) throw new Error("no such server");
    const before = acknowledged.length;
    codes.push(await old.stop());
    balancer.remove(old.url);
    const fresh = await start();
    servers[at] = fresh;
    if (servers === webs) {
      await balancer.add(fresh.url);
      await vi.waitFor(() => expect(balancer.isReady(fresh.url)).toBe(true), WAIT);
    }
    await vi.waitFor(() => expect(acknowledged.length).toBeGreaterThan(before + 5), WAIT);
  };
  await exchange(webs, 0, () => cluster.web(DRAIN));
  await exchange(webs, 1, () => cluster.web(DRAIN));
  await exchange(workers, 0, () => cluster.worker(DRAIN));
  await exchange(workers, 1, () => cluster.worker(DRAIN));
  loading = false;
  await load;

  expect(failures).toEqual([]);
  expect(codes).toEqual([0, 0, 0, 0]);
  expect(board.ended).toBe(true);
  expect(reads).toBeGreaterThan(100);
  const { rows } = await cluster.database.query<{ id: number }>("SELECT id FROM stay ORDER BY id");
  expect(rows.map(({ id }) => id)).toEqual(acknowledged.toSorted((one, other) => one - other));
}, 300_000);
