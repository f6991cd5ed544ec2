import { randomBytes } from "node:crypto";
import { createServer, type Server } from "node:http";
import { WebSocketServer } from "ws";
import { pause } from "./service.ts";
import type { VirtualReader } from "./virtual-reader.ts";

/**
 * A fingerprint sensor with or without a finger on it, and its service on port 9618 (source: device notes, section A4).
 */
export class VirtualSensor {
  /** duration of one extraction in milliseconds */
  extraction = 120;
  finger = false;
  private started = false;
  private features = new Map<string, string>();
  private template = "";

  reset(): void {
    this.finger = false;
    this.started = false;
    this.features.clear();
    this.template = "";
  }

  async answer(request: Record<string, unknown>): Promise<Record<string, string>> {
    const { reqcode } = request;
    if (reqcode === "FM_Init") {
      this.started = true;
      return { result: "0" };
    }
    if (!this.started) return { result: "-5" };
    switch (reqcode) {
      case "FM_Deinit":
        this.reset();
        return { result: "0" };
      case "FM_GetSdkVerison":
        return { result: "0", version: "Plug-in 2.1.0 (simulated)" };
      case "FM_GetDevVerison":
        return { result: "0", version: "Sensor 1.4 (simulated)" };
      case "FM_DetectFinger":
        return { result: this.finger ? "0" : "-9" };
      case "FM_Extract":
        return this.extract(String(request.index));
      case "FM_Enroll":
        return this.enroll();
      case "FM_Match":
        return { result: request.template === this.template && this.known(request.feature) ? "0" : "-9" };
      default:
        return { result: "-3" };
    }
  }

  private known(feature: unknown): boolean {
    return [...this.features.values()].some((own) => own === feature);
  }

  private async extract(index: string): Promise<Record<string, string>> {
    if (!/^[1-6]$/.test(index)) return { result: "-1" };
    await pause(this.extraction);
    if (!this.finger) return { result: "-7" };
    // Random bytes of the size of a real feature.
    const feature = randomBytes(256).toString("base64");
    this.features.set(index, feature);
    return { result: "0", feature };
  }

  private enroll(): Record<string, string> {
    if (this.features.size < 3) return { result: "-7" };
    this.template = randomBytes(512).toString("base64");
    return { result: "0", template: this.template };
  }
}

export function fingerprintServer(reader: VirtualReader, sensor: VirtualSensor): Server {
  const server = createServer((_request, response) => response.writeHead(426).end());
  const sockets = new WebSocketServer({ noServer: true });
  server.on("upgrade", (request, socket, head) => {
    sockets.handleUpgrade(request, socket, head, (client) => sockets.emit("connection", client, request));
  });
  sockets.on("connection", (client) => {
    client.on("message", async (data) => {
      const { faults } = reader;
      const request = requestOf(data.toString());
      await pause(faults.slow);
      if (faults.garbage) return client.send("not a fingerprint");
      if (!request) return client.send(JSON.stringify({ repcode: "", result: "-1" }));
      const answer = faults.noDevice ? { result: "-4" } : await sensor.answer(request);
      reader.note(`9618 ${String(request.reqcode)} → ${answer.result}`);
      client.send(JSON.stringify({ repcode: request.reqcode, ...answer }));
    });
  });
  return server;
}

function requestOf(text: string): Record<string, unknown> | undefined {
  try {
    return Object(JSON.parse(text)) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}
