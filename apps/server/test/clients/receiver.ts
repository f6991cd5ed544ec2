import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";

export interface Received {
  headers: IncomingHttpHeaders;
  body: string;
}

/** A third-party program on this machine that receives webhook events. */
export interface Receiver {
  url: string;
  received: Received[];
  /** Maximum number of concurrent requests */
  mostAtOnce: number;
  /** Answer to following requests: a status, or null to close the connection without one */
  answer: number | null | ((request: Received) => number);
  /** If set, it receives requests, which then get no answer */
  hold: ((request: Received) => void) | undefined;
  /** Headers to answer besides the status */
  headers: Record<string, string>;
  close(): Promise<void>;
}

export async function startReceiver(): Promise<Receiver> {
  let open = 0;
  const server = createServer((request, response) => {
    open += 1;
    receiver.mostAtOnce = Math.max(receiver.mostAtOnce, open);
    response.on("close", () => {
      open -= 1;
    });
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const delivery = { headers: request.headers, body: Buffer.concat(chunks).toString("utf8") };
      if (receiver.hold) {
        receiver.hold(delivery);
        return;
      }
      const status = typeof receiver.answer === "function" ? receiver.answer(delivery) : receiver.answer;
      if (status === null) request.socket.destroy();
      else {
        receiver.received.push(delivery);
        response.writeHead(status, receiver.headers).end("whatever it says");
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook?tenant=7`,
    received: [],
    mostAtOnce: 0,
    answer: 204,
    hold: undefined,
    headers: {},
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return receiver;
}
