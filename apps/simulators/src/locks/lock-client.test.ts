import { createServer, type Server, type Socket } from "node:net";
import { afterEach, expect, it, vi } from "vitest";
import { LockClient } from "./lock-client.ts";
import { PAIRING_SECRET, testLock } from "./lock-under-test.ts";

const [CONNECT, SUBSCRIBE] = [0x10, 0x80];
const [SERVER_UNAVAILABLE, NOT_AUTHORISED] = [3, 5];

let broker: Server;
let client: LockClient;
let connections: number;
const sockets = new Set<Socket>();

afterEach(async () => {
  await client.stop();
  for (const socket of sockets) socket.destroy();
  await new Promise((resolve) => broker.close(resolve));
});

/** Starts a broker that answers logins with these return codes, and further ones with 0, and connects a lock to it. */
async function connectLock(...returnCodes: number[]): Promise<{ onRefused: ReturnType<typeof vi.fn> }> {
  connections = 0;
  broker = createServer((socket) => {
    sockets.add(socket);
    const returnCode = returnCodes[connections] ?? 0;
    connections += 1;
    socket.on("error", () => {});
    socket.on("data", (packet) => {
      const kind = (packet[0] ?? 0) & 0xf0;
      if (kind === CONNECT) socket.write(Buffer.from([0x20, 2, 0, returnCode]));
      if (kind === SUBSCRIBE) socket.write(Buffer.from([0x90, 4, packet[2] ?? 0, packet[3] ?? 0, 1, 1]));
    });
  });
  await new Promise<void>((resolve) => broker.listen(0, "127.0.0.1", resolve));
  const address = broker.address();
  const port = address && typeof address === "object" ? address.port : 0;
  const onRefused = vi.fn();
  client = new LockClient({
    access: {
      url: `mqtt://127.0.0.1:${port}`,
      ...{ user: "1/A4C138001F2B", password: "secret", pairingSecret: PAIRING_SECRET },
      ...{ hotelId: 1, mac: "A4:C1:38:00:1F:2B" },
    },
    lock: testLock().lock,
    onRefused,
    random: () => 0,
  });
  client.start();
  return { onRefused };
}

it("connects again after a broker could not check its login for the moment", async () => {
  const { onRefused } = await connectLock(SERVER_UNAVAILABLE, SERVER_UNAVAILABLE);
  await vi.waitFor(() => expect(client.online).toBe(true), 10_000);
  expect([connections, onRefused.mock.calls.length]).toEqual([3, 0]);
});

it("gives up when the broker knows its account no longer", async () => {
  const { onRefused } = await connectLock(SERVER_UNAVAILABLE, NOT_AUTHORISED);
  await vi.waitFor(() => expect(onRefused).toHaveBeenCalledOnce(), 10_000);
  expect([client.online, client.connection]).toEqual([false, "refused (Connection refused: Not authorized)"]);
});
