import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";

/** A TCP proxy to a server on this machine that can fail and recover. */
export interface FaultyLine {
  port: number;
  /** Ends every connection and refuses new ones */
  cut(): Promise<void>;
  /** Keeps and accepts connections but forwards nothing */
  hang(): void;
  /** Forwards again; data sent meanwhile still arrives */
  restore(): Promise<void>;
  close(): Promise<void>;
}

export async function faultyLine(targetPort: number): Promise<FaultyLine> {
  const sockets = new Set<Socket>();
  let isHanging = false;
  let server: Server;
  let port = 0;

  function join(clientSocket: Socket): void {
    const serverSocket = connect({ host: "127.0.0.1", port: targetPort, noDelay: true });
    clientSocket.setNoDelay(true);
    for (const [from, to] of [
      [clientSocket, serverSocket],
      [serverSocket, clientSocket],
    ] as const) {
      sockets.add(from);
      from.on("data", (chunk) => to.write(chunk));
      from.on("error", () => to.destroy());
      from.on("close", () => {
        sockets.delete(from);
        to.destroy();
      });
      if (isHanging) from.pause();
    }
  }

  const listen = (): Promise<void> =>
    new Promise((resolve, reject) => {
      server = createServer(join);
      server.once("error", reject);
      server.listen(port, "127.0.0.1", () => {
        port = (server.address() as AddressInfo).port;
        resolve();
      });
    });

  async function cut(): Promise<void> {
    const closed = new Promise((resolve) => server.close(resolve));
    for (const socket of sockets) socket.destroy();
    await closed;
  }

  await listen();
  return {
    get port() {
      return port;
    },
    cut,
    hang() {
      isHanging = true;
      for (const socket of sockets) socket.pause();
    },
    async restore() {
      isHanging = false;
      for (const socket of sockets) socket.resume();
      if (!server.listening) await listen();
    },
    close: cut,
  };
}

/** Returns a server's URL with the proxy's `port`. */
export function through(url: string, port: number): string {
  const changed = new URL(url);
  changed.host = `127.0.0.1:${port}`;
  return changed.href;
}
