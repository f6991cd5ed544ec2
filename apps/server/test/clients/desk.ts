import type { ConsoleEvent } from "@innkey/shared/schemas/overview/events";
import { solved, taskIn } from "../harness/browser.ts";

/** A person at a desk, whose browser can call any of several servers. */
export class Desk {
  cookie = "";
  readonly #address: string;

  /** `address`: the person's IP address */
  constructor(address = "203.0.113.7") {
    this.#address = address;
  }

  /** Returns a desk with the same session, like another window. */
  static with({ cookie }: Desk): Desk {
    return Object.assign(new Desk(), { cookie });
  }

  headers(origin: string): Record<string, string> {
    return {
      "content-type": "application/json",
      "x-innkey": "1",
      "x-forwarded-for": this.#address,
      origin,
      cookie: this.cookie,
    };
  }

  /**
   * Calls a procedure; solves a login's proof-of-work task like the console. @throws Error with the refusal's code as
   * message
   */
  async call<T>(server: { url: string }, procedure: string, input: object = {}): Promise<T> {
    const send = (body: object): Promise<Response> =>
      fetch(`${server.url}/api/trpc/${procedure}`, {
        method: "POST",
        headers: this.headers(server.url),
        body: JSON.stringify(body),
      });
    const response = await send(input);
    const task = response.ok ? null : taskIn(await response.clone().text());
    return this.#result(task ? await send({ ...input, work: solved(task) }) : response);
  }

  async ask<T>(server: { url: string }, procedure: string, input?: unknown): Promise<T> {
    const query = input === undefined ? "" : `?input=${encodeURIComponent(JSON.stringify(input))}`;
    const response = await fetch(`${server.url}/api/trpc/${procedure}${query}`, { headers: this.headers(server.url) });
    return this.#result(response);
  }

  /** Collects the versions from the board's event stream, until `stop`. */
  async watchBoard(server: { url: string }): Promise<BoardWatch> {
    const ending = new AbortController();
    const response = await fetch(`${server.url}/api/events`, {
      headers: this.headers(server.url),
      signal: ending.signal,
    });
    if (!response.ok || !response.body) throw new Error(`HTTP ${response.status}`);
    const watch: BoardWatch = { versions: [], ended: false, stop: () => ending.abort() };
    void read(response.body, watch);
    return watch;
  }

  async #result<T>(response: Response): Promise<T> {
    const cookie = response.headers.getSetCookie().find((line) => line.startsWith("smart_lock_userinfo="));
    if (cookie) this.cookie = cookie.split(";")[0] ?? "";
    const body = (await response.json()) as { result?: { data: T }; error?: { message: string } };
    if (!body.result) throw new Error(body.error?.message ?? `HTTP ${response.status}`);
    return body.result.data;
  }
}

type BoardEvent = Extract<ConsoleEvent, { event: "board" }>;

export interface BoardWatch {
  /** null: events may have been missed */
  versions: (number | null)[];
  ended: boolean;
  stop(): void;
}

async function read(body: ReadableStream<Uint8Array>, watch: BoardWatch): Promise<void> {
  const decoder = new TextDecoder();
  let text = "";
  try {
    for await (const chunk of body) {
      text += decoder.decode(chunk, { stream: true });
      const whole = text.split("\n\n");
      text = whole.pop() ?? "";
      for (const event of whole) {
        const data = /^event: board\ndata: (.*)$/m.exec(event)?.[1];
        if (data === undefined) continue;
        const { version }: BoardEvent["data"] = JSON.parse(data);
        watch.versions.push(version === null ? null : Number(version));
      }
    }
  } catch {
    // The server has stopped, or the watch was stopped.
  }
  watch.ended = true;
}
