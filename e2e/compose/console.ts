import { type IncomingHttpHeaders, request as requestPlain } from "node:http";
import { request as requestEncrypted } from "node:https";

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

const LIMIT_MS = 70_000;

export interface Address {
  url: string;
  /** certificate authority to trust for this address */
  ca?: Buffer | undefined;
}

/** Sends one request on a separate connection. */
export function send(
  { url, ca }: Address,
  path: string,
  { method = "GET", headers = {}, body }: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<Answer> {
  const target = new URL(path, url);
  const request = target.protocol === "https:" ? requestEncrypted : requestPlain;
  return new Promise((resolve, reject) => {
    const sent = request(target, { method, headers, agent: false, ...(ca && { ca }) }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }),
      );
    });
    sent.setTimeout(LIMIT_MS, () => sent.destroy(new Error(`no answer in ${LIMIT_MS} ms`)));
    sent.once("error", reject);
    sent.end(body);
  });
}

/** A logged-in session of the console. */
export class Session {
  readonly #address: Address;
  readonly #cookie: string;
  readonly setCookie: string;

  private constructor(address: Address, setCookie: readonly string[]) {
    this.#address = address;
    this.setCookie = setCookie.join("\n");
    this.#cookie = setCookie.map((line) => line.split(";")[0]).join("; ");
  }

  static async logIn(address: Address, account: string, password: string): Promise<Session> {
    const answer = await post(address, "auth.login", "", { account, password });
    resultOf(answer);
    return new Session(address, answer.headers["set-cookie"] ?? []);
  }

  async call<T>(procedure: string, input: object): Promise<T> {
    return resultOf(await post(this.#address, procedure, this.#cookie, input)) as T;
  }

  async ask<T>(procedure: string, input?: object): Promise<T> {
    const query = input === undefined ? "" : `?input=${encodeURIComponent(JSON.stringify(input))}`;
    return resultOf(await this.get(`/api/trpc/${procedure}${query}`)) as T;
  }

  get(path: string): Promise<Answer> {
    return send(this.#address, path, { headers: { "x-innkey": "1", cookie: this.#cookie } });
  }
}

function post(address: Address, procedure: string, cookie: string, input: object): Promise<Answer> {
  const { origin } = new URL(address.url);
  const headers = { "content-type": "application/json", "x-innkey": "1", origin, cookie };
  return send(address, `/api/trpc/${procedure}`, { method: "POST", headers, body: JSON.stringify(input) });
}

function resultOf({ status, body }: Answer): unknown {
  const { result, error } = JSON.parse(body.toString("utf8") || "{}") as {
    result?: { data: unknown };
    error?: { message: string };
  };
  if (!result) throw new Error(`the console said no: ${error?.message ?? `HTTP ${status}`}`);
  return result.data;
}
