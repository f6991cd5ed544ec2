import { createServer, type Server } from "node:http";
import { WebSocketServer } from "ws";
import { runCommand } from "./frame-commands.ts";
import { pause } from "./service.ts";
import type { VirtualReader } from "./virtual-reader.ts";

/** The reader service on port 39002: text frames, answered in order of arrival (source: device notes, section A2). */
const PATH = "/RFID%20Reader%20Service";
const FRAME = /^([0-9A-F]{2})([0-9A-F]{4})([0-9A-F]*)$/;

export function answerToFrame(reader: VirtualReader, text: string): string | undefined {
  const [, , code, argument = ""] = FRAME.exec(text.toUpperCase()) ?? [];
  if (code === undefined) return undefined;
  const { retval, data } = runCommand(reader, code, argument);
  reader.note(`39002 ${code} → ${retval}`);
  return `${code}${retval.toString(16).toUpperCase().padStart(2, "0")}${data}`;
}

export function socketReaderServer(reader: VirtualReader): Server {
  const server = createServer((_request, response) => response.writeHead(426).end());
  const sockets = new WebSocketServer({ noServer: true });
  server.on("upgrade", (request, socket, head) => {
    if (request.url !== PATH) return socket.destroy();
    sockets.handleUpgrade(request, socket, head, (client) => {
      let last = Promise.resolve();
      client.on("message", (data) => {
        last = last.then(async () => {
          await pause(reader.faults.slow);
          const answer = reader.faults.garbage ? "ZZ?!" : answerToFrame(reader, data.toString());
          if (answer !== undefined) client.send(answer);
        });
      });
    });
  });
  return server;
}
