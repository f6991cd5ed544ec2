import { once } from "node:events";
import { createServer, type RequestListener, type Server, type ServerResponse } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, expect, it, vi } from "vitest";
import { limitConnections } from "./connections.ts";

const SLOW_LOOK_MS = 20;
let server: Server;
const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  server.closeAllConnections();
  server.close();
});

async function listen(listener: RequestListener, trustProxy = false): Promise<void> {
  server = createServer(listener);
  limitConnections(server, trustProxy, { all: 8, perNetwork: 4 }, SLOW_LOOK_MS);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
}

/** Connects from a chosen address; Linux allows any of 127.0.0.0/8. */
async function open(localAddress = "127.0.0.1"): Promise<Socket> {
  const { port } = server.address() as AddressInfo;
  const socket = connect({ port, host: "127.0.0.1", localAddress });
  socket.on("error", () => undefined);
  sockets.push(socket);
  await once(socket, "connect");
  await delay(5);
  return socket;
}

const GET = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";
async function ask(socket: Socket, request = GET): Promise<string> {
  const answer = once(socket, "data", { signal: AbortSignal.timeout(2_000) });
  socket.write(request);
  return String((await answer)[0]);
}
const openOf = async (list: Socket[]): Promise<boolean[]> => {
  await delay(30);
  return list.map(({ destroyed, readableEnded }) => !destroyed && !readableEnded);
};

it("accepts a new connection however many idle ones the same network has", async () => {
  await listen((_request, response) => response.end("ok"));
  const idle: Socket[] = [];
  for (let count = 0; count < 12; count += 1) idle.push(await open());
  expect(await ask(await open())).toContain("200 OK");
  expect((await openOf(idle)).filter(Boolean)).toHaveLength(3);
});

it("accepts a new connection however many idle ones come from many networks", async () => {
  await listen((_request, response) => response.end("ok"));
  const idle: Socket[] = [];
  for (let count = 0; count < 12; count += 1) idle.push(await open(`127.0.0.${10 + count}`));
  expect(await ask(await open())).toContain("200 OK");
  expect((await openOf(idle)).filter(Boolean)).toHaveLength(7);
});

it("closes the longest idle connections first, and none with a request in progress", async () => {
  const late: (() => void)[] = [];
  await listen((request, response) => {
    if (request.url === "/late") late.push(() => response.end("late"));
    else response.end("ok");
  });
  const working = await open();
  working.write(GET.replace("/ ", "/late "));
  const used = await open();
  const others = [await open(), await open(), await open()];
  await ask(used);
  await open();
  expect(await openOf([working, used, ...others])).toEqual([true, true, false, true, true]);
  const answer = once(working, "data");
  late[0]?.();
  expect(String((await answer)[0])).toContain("late");
});

it("counts a connection whose request body does not arrive as idle", async () => {
  await listen(
    (request, response) =>
      void request
        .on("error", () => undefined)
        .resume()
        .on("end", () => response.end()),
  );
  const dripping = await open();
  dripping.write("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{");
  for (let count = 0; count < 4; count += 1) await open();
  expect(await openOf([dripping])).toEqual([false]);
});

it("counts a connection that does not read its response as idle, but not one with a slow response", async () => {
  const late: (() => void)[] = [];
  await listen((request, response) => {
    if (request.url === "/late") late.push(() => response.end("late"));
    else response.end(Buffer.alloc(32 * 1024 * 1024));
  });
  const working = await open();
  working.write(GET.replace("/ ", "/late "));
  const deaf: Socket[] = [];
  for (let count = 0; count < 8; count += 1) {
    const socket = await open();
    deaf.push(socket.pause());
    socket.write(GET);
  }
  await vi.waitFor(async () => {
    const connectionCount = await new Promise<number>((resolve) =>
      server.getConnections((_error, count) => resolve(count)),
    );
    expect(connectionCount).toBe(1 + 4);
  });
  const answer = once(working, "data");
  late[0]?.();
  expect(String((await answer)[0])).toContain("late");
});

it("ends every response of a closed connection, including queued ones", async () => {
  const answers: ServerResponse[] = [];
  let closed = 0;
  await listen((_request, response) => {
    answers.push(response.on("close", () => closed++));
  });
  const socket = await open();
  socket.write(GET.repeat(3));
  await vi.waitFor(() => expect(answers).toHaveLength(3));
  socket.destroy();
  await vi.waitFor(() => expect(closed).toBe(3));
  expect(answers.map(({ destroyed }) => destroyed)).toEqual([true, true, true]);
  await delay(20);
  expect(closed, "each response once").toBe(3);
});

it("closes a connection with too many queued requests and handles no more of them", async () => {
  let handled = 0;
  await listen(() => {
    handled += 1;
  });
  const socket = await open();
  socket.write(GET.repeat(1_000));
  await once(socket, "close");
  expect(handled).toBe(8);
});

it("shares a proxy's connections among all clients and leaves closing them to the proxy", async () => {
  await listen((_request, response) => response.end("ok"), true);
  const proxy: Socket[] = [];
  for (let count = 0; count < 8; count += 1) proxy.push(await open());
  for (const connection of proxy) expect(await ask(connection)).toContain("200 OK");
  expect((await openOf(proxy)).filter(Boolean)).toHaveLength(8);
});
