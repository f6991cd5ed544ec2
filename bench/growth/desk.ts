import assert from "node:assert/strict";
import { logIn } from "../measuring/owner.ts";

interface Answer {
  bytes: number;
  etag: string;
}

/** Calls the console over one connection with a session. */
export class Desk {
  readonly #url: string;
  readonly #headers: Record<string, string>;

  private constructor(url: string, cookie: string) {
    this.#url = url;
    this.#headers = { cookie, "x-innkey": "1", "content-type": "application/json" };
  }

  static async open(url: string, hotelId: number): Promise<Desk> {
    const desk = new Desk(url, await logIn(url));
    await desk.mutate("auth.switchHotel", { hotelId });
    return desk;
  }

  async get(path: string, headers: Record<string, string> = {}, status = 200): Promise<Answer> {
    const response = await fetch(`${this.#url}${path}`, { headers: { ...this.#headers, ...headers } });
    const body = await response.arrayBuffer();
    assert.equal(response.status, status, path);
    return { bytes: body.byteLength, etag: response.headers.get("etag") ?? "" };
  }

  async json<T>(path: string): Promise<T> {
    const response = await fetch(`${this.#url}${path}`, { headers: this.#headers });
    const answer = await response.text();
    assert.ok(response.ok, answer);
    return JSON.parse(answer) as T;
  }

  async query<T>(name: string, input?: unknown): Promise<T> {
    const text = input === undefined ? "" : `?input=${encodeURIComponent(JSON.stringify(input))}`;
    return (await this.json<{ result: { data: T } }>(`/api/trpc/${name}${text}`)).result.data;
  }

  mutate<T>(name: string, input: unknown): Promise<T> {
    return this.post<{ result: { data: T } }>(`/api/trpc/${name}`, input).then(({ result }) => result.data);
  }

  async post<T>(path: string, body: unknown): Promise<T> {
    const init = { method: "POST", headers: this.#headers, body: JSON.stringify(body) };
    const response = await fetch(`${this.#url}${path}`, init);
    const answer = await response.text();
    assert.ok(response.ok, answer);
    return JSON.parse(answer) as T;
  }
}
