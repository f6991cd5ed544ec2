import { once } from "node:events";
import { createServer, type RequestListener, type Server, type ServerResponse } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, expect, it, vi } from "vitest";
import { limitConnections } from "./idle-connections.ts";

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

it("lets whoever comes in, however many connections of the same network sit there", async () => {
  await listen((_request, response) => response.end("ok"));
  const idle: Socket[] = [];
  for (let count = 0; count < 12; count += 1) idle.push(await open());
  expect(await ask(await open())).toContain("200 OK");
  expect((await openOf(idle)).filter(Boolean)).toHaveLength(3);
});

it("lets whoever comes in, however many networks send connections that sit there", async () => {
  await listen((_request, response) => response.end("ok"));
  const idle: Socket[] = [];
  for (let count = 0; count < 12; count += 1) idle.push(await open(`127.0.0.${10 + count}`));
  expect(await ask(await open())).toContain("200 OK");
  expect((await openOf(idle)).filter(Boolean)).toHaveLength(7);
});

it("ends none whose answer is in work, and those first that have been idle longest", async () => {
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

it("takes a request whose body doesn't come for idle", async () => {
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

it("takes connections that don't read their answers for idle, and no other whose answer lasts", async () => {
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
    const served = await new Promise<number>((resolve) => server.getConnections((_error, count) => resolve(count)));
    expect(served).toBe(1 + 4);
  });
  const answer = once(working, "data");
  late[0]?.();
  expect(String((await answer)[0])).toContain("late");
});

it("ends every answer of a connection that closes, also those that wait for their turn", async () => {
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
  expect(closed, "each once").toBe(3);
});

it("closes a connection on which requests pile up, and handles no more of them", async () => {
  let handled = 0;
  await listen(() => {
    handled += 1;
  });
  const socket = await open();
  socket.write(GET.repeat(1_000));
  await once(socket, "close");
  expect(handled).toBe(8);
});

it("counts a proxy's connections as everybody's, and keeps them until the proxy ends them", async () => {
  await listen((_request, response) => response.end("ok"), true);
  const proxy: Socket[] = [];
  for (let count = 0; count < 8; count += 1) proxy.push(await open());
  for (const connection of proxy) expect(await ask(connection)).toContain("200 OK");
  expect((await openOf(proxy)).filter(Boolean)).toHaveLength(8);
});
