import { Agent, type IncomingMessage, request } from "node:http";
import { buffer } from "node:stream/consumers";
import type { ErrorCode, ErrorPayload } from "../../packages/shared/src/errors.ts";
import { GIVE_UP_MS } from "./busiest-hour.ts";

export interface Answer {
  status: number;
  /** the request id in the audit log */
  requestId: string;
  headers: IncomingMessage["headers"];
  body: Buffer;
}

/** A refused request, with the server's error code. */
export class Refused extends Error {
  readonly code: ErrorCode | `HTTP ${number}`;
  constructor(status: number, code: ErrorCode | undefined) {
    super(code ?? `HTTP ${status}`);
    this.code = code ?? `HTTP ${status}`;
  }
}

/** Keeps connections open, as browsers do. Their number is unlimited, so that clients never wait for a connection. */
const connections = (localAddress?: string): Agent =>
  new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY, scheduling: "lifo", localAddress });

const commonAgent = connections();

/**
 * Returns the connections of one computer of a hotel, which has an address of its own, because the server limits the
 * idle connections of each address. `number`: from 0 to 65,535
 */
export const agentOfComputer = (number: number): Agent => connections(`127.1.${number >> 8}.${number & 255}`);

/** Sends one request over plain HTTP. @throws Error if the connection fails or no answer comes within GIVE_UP_MS */
export function ask(
  url: string,
  headers: Record<string, string> = {},
  body?: string | Buffer,
  giveUpMs = GIVE_UP_MS,
  agent = commonAgent,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { agent, method: body === undefined ? "GET" : "POST", headers }, (response) => {
      buffer(response).then(
        (bytes) => {
          clearTimeout(timer);
          const { statusCode: status = 0, headers: answerHeaders } = response;
          resolve({
            status,
            requestId: String(answerHeaders["x-request-id"] ?? ""),
            headers: answerHeaders,
            body: bytes,
          });
        },
        (error: unknown) => reject(error),
      );
    });
    const timer = setTimeout(() => outgoing.destroy(new Error(`no answer for ${giveUpMs / 1000} s`)), giveUpMs);
    outgoing.on("error", (error) => {
      clearTimeout(timer);
      reject(error);
    });
    outgoing.end(body);
  });
}

/** The result of a call to the console, and the request's id in the audit log. */
export interface CallResult<T> {
  result: T;
  requestId: string;
}

/** For answers that are parsed here: decompressing them would only load the measured machine. */
const UNPACKED = { "accept-encoding": "identity" };

/** One browser session at a desk. */
export class Browser {
  readonly headers: Record<string, string>;
  readonly agent: Agent;
  readonly #server: string;
  readonly #giveUpMs: number;

  constructor(server: string, cookie: string, giveUpMs = GIVE_UP_MS, agent = commonAgent) {
    this.#server = server;
    this.agent = agent;
    this.#giveUpMs = giveUpMs;
    this.headers = { "content-type": "application/json", "x-innkey": "1", "accept-encoding": "gzip", cookie };
  }

  /** @throws Refused */
  async change<T>(procedure: string, input: unknown): Promise<CallResult<T>> {
    return toCallResult(await this.post(`trpc/${procedure}`, input));
  }

  /** @throws Refused */
  async read<T>(procedure: string, input?: unknown): Promise<T> {
    const query = input === undefined ? "" : `?input=${encodeURIComponent(JSON.stringify(input))}`;
    return toCallResult<T>(await this.get(`trpc/${procedure}${query}`, UNPACKED)).result;
  }

  get(path: string, headers: Record<string, string> = {}): Promise<Answer> {
    return ask(`${this.#server}/api/${path}`, { ...this.headers, ...headers }, undefined, this.#giveUpMs, this.agent);
  }

  post(path: string, input: unknown): Promise<Answer> {
    const headers = { ...this.headers, ...UNPACKED };
    return ask(`${this.#server}/api/${path}`, headers, JSON.stringify(input ?? {}), this.#giveUpMs, this.agent);
  }
}

function toCallResult<T>({ status, requestId, body }: Answer): CallResult<T> {
  const text = body.toString();
  if (status === 200) return { result: JSON.parse(text).result.data, requestId };
  throw new Refused(status, errorCodeOf(text));
}

/** Returns the server's error code from an answer of any of its interfaces, or undefined if there is none. */
export function errorCodeOf(text: string): ErrorCode | undefined {
  try {
    const parsed = JSON.parse(text) as { error?: { data?: { innkey?: ErrorPayload } } } & Partial<ErrorPayload>;
    return parsed.error?.data?.innkey?.code ?? parsed.code;
  } catch {
    return undefined;
  }
}

/** Logs in as a browser does. @throws Refused */
export async function logIn(
  server: string,
  account: { mobile: string; password: string },
): Promise<CallResult<string>> {
  const headers = { "content-type": "application/json", "x-innkey": "1" };
  const body = JSON.stringify({ account: account.mobile, password: account.password });
  const answer = await ask(`${server}/api/trpc/auth.login`, headers, body);
  const [cookie] = answer.headers["set-cookie"] ?? [];
  if (answer.status !== 200 || !cookie) throw new Refused(answer.status, errorCodeOf(answer.body.toString()));
  return { result: cookie.split(";", 1)[0] ?? "", requestId: answer.requestId };
}
