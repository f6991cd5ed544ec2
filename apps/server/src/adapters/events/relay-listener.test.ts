import { createServer, type Socket } from "node:net";
import { expect, it } from "vitest";
import { Listener } from "./relay.ts";

it("closes at once while it is connecting, without reporting anything", async () => {
  const silent = createServer((socket) => socket.on("error", () => undefined));
  await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
  const accepted = new Promise<Socket>((resolve) => silent.once("connection", resolve));
  const address = silent.address();
  const port = address !== null && typeof address === "object" ? address.port : 0;
  const notices: string[] = [];
  const listener = new Listener(
    `postgresql://innkey@127.0.0.1:${port}/innkey`,
    { warn: (_details, message) => notices.push(message) },
    {
      payload: () => notices.push("payload"),
      listening: () => notices.push("listening"),
      lost: () => notices.push("lost"),
    },
  );
  const connecting = listener.connect();
  const socket = await accepted;
  const closing = listener.close();
  await connecting;
  socket.destroy();
  await closing;
  expect(notices).toEqual([]);
  expect(listener.listening).toBe(false);
  await new Promise((resolve) => silent.close(resolve));
});
