// Keeps N connections requesting one address from a separate process, over bare sockets so that the client costs
// little. Argument: a LoadPlan as JSON. Prints a LoadResult as JSON.
import { connect } from "node:net";
import pg from "pg";

export interface LoadPlan {
  url: string;
  /** requests to send in turn, repeatedly; without them only `url` is requested */
  requests?: { url: string; body?: string }[];
  headers: Record<string, string>;
  connections: number;
  seconds: number;
  /** expected status of every answer */
  status: number;
  /** changes the whole board before every read; the time for that is not counted */
  change?: { databaseUrl: string; hotelId: number };
}

export interface LoadResult {
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  bytes: number;
  reads: number;
  /** number of different ETags seen */
  boards: number;
}

interface Answer {
  bytes: number;
  etag: string;
}

/** Formats one HTTP request. With a body it is a POST. */
function wireText(url: string, headers: Record<string, string>, body: string | undefined): string {
  const { host, pathname, search } = new URL(url);
  const length = body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) };
  const lines = Object.entries({ host, ...headers, ...length }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${body === undefined ? "GET" : "POST"} ${pathname}${search} HTTP/1.1\r\n${lines.join("")}\r\n${body ?? ""}`;
}

const LAST_CHUNK = "\r\n0\r\n\r\n";

function client({ url, requests = [{ url }], headers, status }: LoadPlan): Promise<() => Promise<Answer>> {
  const { hostname, port } = new URL(url);
  const texts = requests.map((request) => wireText(request.url, headers, request.body));
  let next = 0;
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  let head = "";
  let missing = -1;
  /** last bytes of a chunked answer, which ends with an empty chunk; null for an answer with a content length */
  let tail: string | null = null;
  let answer: Answer = { bytes: 0, etag: "" };
  let done: ((answer: Answer) => void) | undefined;
  let failed: ((error: Error) => void) | undefined;
  socket.on("error", (error) => failed?.(error));
  socket.on("data", (chunk) => {
    let body = chunk.length;
    if (missing < 0) {
      head += chunk.toString("latin1");
      const end = head.indexOf("\r\n\r\n");
      if (end < 0) return;
      if (!head.startsWith(`HTTP/1.1 ${status} `)) return void failed?.(new Error(head.slice(0, end)));
      const size = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
      answer = { bytes: size, etag: /etag: (\S+)/i.exec(head)?.[1] ?? "" };
      tail = /transfer-encoding: chunked/i.test(head.slice(0, end)) ? "" : null;
      missing = size;
      body = head.length - end - 4;
      head = "";
    }
    if (tail === null) {
      missing -= body;
      if (missing > 0) return;
    } else {
      answer.bytes += body;
      tail = (tail + chunk.toString("latin1", Math.max(0, chunk.length - LAST_CHUNK.length))).slice(-LAST_CHUNK.length);
      missing = 1;
      if (tail !== LAST_CHUNK) return;
    }
    missing = -1;
    done?.(answer);
  });
  const ask = () =>
    new Promise<Answer>((resolve, reject) => {
      done = resolve;
      failed = reject;
      socket.write(texts[next++ % texts.length] ?? "");
    });
  return new Promise((resolve) => socket.once("connect", () => resolve(ask)));
}

async function run(plan: LoadPlan): Promise<LoadResult> {
  const database = plan.change && new pg.Pool({ connectionString: plan.change.databaseUrl, max: 2 });
  const asks = await Promise.all(Array.from({ length: plan.connections }, () => client(plan)));
  const took: number[] = [];
  const boards = new Set<string>();
  let bytes = 0;
  const start = performance.now();
  const end = start + plan.seconds * 1000;
  await Promise.all(
    asks.map(async (ask) => {
      while (performance.now() < end) {
        await database?.query("SELECT raise_board($1, NULL)", [plan.change?.hotelId]);
        const startedAt = performance.now();
        const answer = await ask();
        took.push(performance.now() - startedAt);
        boards.add(answer.etag);
        bytes = answer.bytes;
      }
    }),
  );
  const seconds = (performance.now() - start) / 1000;
  await database?.end();
  took.sort((a, b) => a - b);
  const at = (share: number): number => took[Math.min(took.length - 1, Math.floor(took.length * share))] ?? 0;
  return {
    perSecond: took.length / seconds,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    bytes,
    reads: took.length,
    boards: boards.size,
  };
}

const [, , plan] = process.argv;
if (plan) {
  console.log(JSON.stringify(await run(JSON.parse(plan))));
  process.exit(0);
}
