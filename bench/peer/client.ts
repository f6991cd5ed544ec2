import { Agent, request } from "node:http";

/** The name of the client and of the browser, to whose name HotelDruid ties a session */
export const USER_AGENT = "Mozilla/5.0 (X11; Linux x86_64) innkey-bench";

export interface Answer {
  status: number;
  body: string;
  bytes: number;
}

/** Sends one call after the other over one connection, which stays open as long as the server leaves it open. */
export interface Client {
  get(path: string): Promise<Answer>;
  post(path: string, body: string): Promise<Answer>;
  close(): void;
}

export function openClient(url: string, headers: Record<string, string>): Client {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const ask = (method: string, path: string, body = ""): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const length = method === "POST" ? { "content-length": Buffer.byteLength(body) } : {};
      const sent = request(
        new URL(path, url),
        { method, agent, headers: { "user-agent": USER_AGENT, ...headers, ...length } },
        (response) => {
          const chunks: Buffer[] = [];
          response.on("data", (chunk: Buffer) => chunks.push(chunk));
          response.on("error", reject);
          response.on("end", () => {
            const whole = Buffer.concat(chunks);
            resolve({ status: response.statusCode ?? 0, body: whole.toString(), bytes: whole.length });
          });
        },
      );
      sent.on("error", reject);
      sent.end(body);
    });
  return {
    get: (path) => ask("GET", path),
    post: (path, body) => ask("POST", path, body),
    close: () => agent.destroy(),
  };
}
