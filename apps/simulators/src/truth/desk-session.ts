/** The console refused the action, which therefore did not happen. The message is the console's. */
export class Refused extends Error {}
/** No answer came, so it is unclear whether the action happened. */
export class Unclear extends Error {}

const GIVE_UP_MS = 60_000;

/** A logged-in session that uses the same calls as the browser. */
export class DeskSession {
  private cookie = "";
  private readonly server: { readonly url: string };

  constructor(server: { readonly url: string }) {
    this.server = server;
  }

  /** @throws Refused, Unclear */
  change<T>(procedure: string, input: object): Promise<T> {
    return this.send<T>(procedure, { method: "POST", body: JSON.stringify(input) });
  }

  /** A query, which is safe to repeat. @throws Refused, Unclear */
  async read<T>(procedure: string, input?: object): Promise<T> {
    const query = input === undefined ? "" : `?input=${encodeURIComponent(JSON.stringify(input))}`;
    return this.send<T>(`${procedure}${query}`, { method: "GET" });
  }

  private async send<T>(path: string, request: RequestInit): Promise<T> {
    const { url } = this.server;
    const headers = { "content-type": "application/json", "x-innkey": "1", origin: url, cookie: this.cookie };
    let response: Response;
    let text: string;
    try {
      const signal = AbortSignal.timeout(GIVE_UP_MS);
      response = await fetch(`${url}/api/trpc/${path}`, { ...request, headers, signal });
      text = await response.text();
    } catch (error) {
      throw new Unclear(path, { cause: error });
    }
    const [cookie] = response.headers.getSetCookie();
    if (cookie) this.cookie = cookie.split(";", 1)[0] ?? "";
    const { result, error } = Object(jsonOf(text));
    if (response.ok && result) return result.data as T;
    const why = `${path.split("?", 1)[0]}: ${error?.data?.innkey?.code ?? error?.message ?? response.status}`;
    if (response.status >= 500) throw new Unclear(why);
    throw new Refused(why);
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
