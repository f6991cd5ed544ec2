/** The console said no, in its own words: the act did not happen. */
export class Refused extends Error {}
/** No answer came: nobody here knows whether the act happened. */
export class Unclear extends Error {}

const GIVE_UP_MS = 60_000;

/** Somebody logged in to the console, through the same calls as its browser. */
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

  /** A question may be asked as often as it takes. @throws Refused, Unclear */
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
