import { randomBytes } from "node:crypto";
import { createServer, type Server } from "node:http";
import { WebSocketServer } from "ws";
import { bodyOf, jsonServer, pause, sendJson } from "./service.ts";
import { done, type Outcome, RETVAL, refused } from "./virtual-card.ts";
import type { VirtualReader } from "./virtual-reader.ts";

/**
 * Commands by their four-digit code, as used by the services on ports 39002 and 8765 (source: device notes, section
 * A2).
 */
const byte = (hex: string, at: number): number => Number.parseInt(hex.slice(at * 2, at * 2 + 2), 16);

const COMMANDS: Readonly<Record<string, (reader: VirtualReader, argument: string) => Outcome>> = {
  "0007": (reader, argument) => (byte(argument, 0) === 0 ? reader.openDevice() : refused(RETVAL.noDevice)),
  "0009": (reader) => reader.closeDevice(),
  "0105": (reader) => reader.readSerial(),
  "0106": (reader) => reader.beep(),
  "0107": (reader, argument) => reader.setLight(byte(argument, 0)),
  "0108": (reader, argument) => reader.setAntenna(byte(argument, 0) === 1),
  "0109": (reader, argument) => (argument === "41" ? reader.setRadio() : refused(RETVAL.parameter)),
  "1001": (reader, argument) => reader.request(byte(argument, 0)),
  "1002": (reader) => reader.anticollision(),
  "1003": (reader, argument) => reader.select(argument),
  "100A": (reader, argument) =>
    reader.authenticate(byte(argument, 0) === 0x61 ? "B" : "A", byte(argument, 1), argument.slice(4)),
  "100B": (reader, argument) => reader.read(byte(argument, 0)),
  "100C": (reader, argument) => reader.write(byte(argument, 0), argument.slice(2)),
  "100D": (reader, argument) => reader.write(byte(argument, 0), valueBlock(argument.slice(2), byte(argument, 0))),
  "100E": (reader, argument) => firstFourBytes(reader.read(byte(argument, 0))),
};

/**
 * Encodes a value block: value, inverse, value, then the address, plain and inverted in turn (source: NXP MF1S50yyX,
 * value blocks).
 */
function valueBlock(value: string, block: number): string {
  const inverse = (hex: string): string =>
    (~Number.parseInt(hex, 16) >>> 0).toString(16).padStart(8, "0").slice(-hex.length).toUpperCase();
  const address = block.toString(16).padStart(2, "0").toUpperCase();
  return `${value}${inverse(value)}${value}${address}${inverse(address)}${address}${inverse(address)}`;
}

function firstFourBytes(outcome: Outcome): Outcome {
  return outcome.retval === RETVAL.done ? done(outcome.data.slice(0, 8)) : outcome;
}

function runCommand(reader: VirtualReader, code: string, argument: string): Outcome {
  const command = COMMANDS[code];
  return command ? command(reader, argument) : refused(0x0b);
}

/**
 * The HID bridge on port 8765, with frames of our own design behind it (source: device notes, decisions and section B).
 */
const VENDORS: readonly unknown[] = [1047, 1046];
const PRODUCT = 32800;

const xorChecksum = (bytes: readonly number[]): number => bytes.reduce((sum, byte) => sum ^ byte, 0);

/** Answers one report with one report. Returns undefined for reports that a device would ignore. */
function answerToReport(reader: VirtualReader, report: Buffer): Buffer | undefined {
  const length = report[0] ?? 0;
  const frame = [...report.subarray(0, length)];
  if (length < 4 || frame.length < length || xorChecksum(frame) !== 0) return undefined;
  const hex = Buffer.from(frame).toString("hex").toUpperCase();
  const code = hex.slice(2, 6);
  const { retval, data } = runCommand(reader, code, hex.slice(6, -2));
  reader.note(`8765 ${code} → ${retval}`);
  const body = [...Buffer.from(code, "hex"), retval, ...Buffer.from(data, "hex")];
  const answer = [body.length + 2, ...body];
  return Buffer.from([...answer, xorChecksum(answer)]);
}

function padReport(report: Buffer, length: unknown): string {
  const size = typeof length === "number" ? Math.min(Math.max(length, report.length), 1024) : report.length;
  return Buffer.concat([report, Buffer.alloc(size - report.length)])
    .toString("hex")
    .toUpperCase();
}

export function hidBridgeServer(reader: VirtualReader): Server {
  let isOpened = false;
  return jsonServer(async (request, response) => {
    const { vid, pid, data, readlength } = Object(await bodyOf(request)) as Record<string, unknown>;
    await pause(reader.faults.slow);
    if (request.url === "/open") {
      isOpened = !reader.faults.noDevice && VENDORS.includes(vid) && pid === PRODUCT;
      return sendJson(response, isOpened ? { ok: true } : { ok: false, message: "no such device" });
    }
    if (request.url !== "/write") return sendJson(response, { ok: false, message: "no such call" }, 404);
    if (!isOpened || reader.faults.noDevice) return sendJson(response, { ok: false, message: "device not open" });
    if (reader.faults.garbage) return sendJson(response, { ok: true, data: "05FFFFFFFF" });
    const answer = answerToReport(reader, Buffer.from(String(data), "hex"));
    sendJson(
      response,
      answer ? { ok: true, data: padReport(answer, readlength) } : { ok: false, message: "no answer" },
    );
  });
}

/** The reader service on port 39002: text frames, answered in order of arrival (source: device notes, section A2). */
const PATH = "/RFID%20Reader%20Service";
const FRAME = /^([0-9A-F]{2})([0-9A-F]{4})([0-9A-F]*)$/;

function answerToFrame(reader: VirtualReader, text: string): string | undefined {
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
      let lastAnswer = Promise.resolve();
      client.on("message", (data) => {
        lastAnswer = lastAnswer.then(async () => {
          await pause(reader.faults.slow);
          const answer = reader.faults.garbage ? "ZZ?!" : answerToFrame(reader, data.toString());
          if (answer !== undefined) client.send(answer);
        });
      });
    });
  });
  return server;
}

/** The reader service on port 13570 (source: device notes, section A1). */
const DEVICE_ID = 21;

type Types = ("number" | "string")[];
type ReaderFunction = {
  types: Types;
  run: (reader: VirtualReader, args: readonly unknown[]) => Outcome;
  data?: string;
};

const text = (value: unknown): string => String(value);
const number = (value: unknown): number => Number(value);
const ID: Types = ["number"];

/** Every function with its parameter types, which the service checks strictly. `data` names the answer's field. */
const FUNCTIONS: Readonly<Record<string, ReaderFunction>> = {
  Sys_Open: { types: ID, run: (reader, [index]) => (index === 0 ? reader.openDevice() : refused(RETVAL.noDevice)) },
  Sys_Close: { types: ID, run: (reader) => reader.closeDevice() },
  Sys_GetSnr: { types: ID, run: (reader) => reader.readSerial(), data: "value" },
  Sys_GetModel: { types: ID, run: (reader) => reader.device(() => done(reader.model)), data: "value" },
  Sys_SetBuzzer: { types: ["number", "number"], run: (reader) => reader.beep() },
  Sys_SetLight: { types: ["number", "number"], run: (reader, [, color]) => reader.setLight(number(color)) },
  Sys_SetAntenna: { types: ["number", "number"], run: (reader, [, mode]) => reader.setAntenna(mode === 1) },
  Sys_InitType: { types: ["number", "string"], run: (reader) => reader.setRadio() },
  TyA_Request: { types: ["number", "number"], run: (reader, [, mode]) => reader.request(number(mode)), data: "type" },
  TyA_Anticollision: { types: ID, run: (reader) => reader.anticollision(), data: "snr" },
  TyA_NTAG_AnticollSelect: { types: ID, run: (reader) => reader.longUid(), data: "value" },
  TyA_Select: { types: ["number", "string"], run: (reader, [, snr]) => reader.select(text(snr)), data: "sak" },
  TyA_Halt: { types: ID, run: (reader) => reader.halt() },
  TyA_CS_Authentication2: {
    types: ["number", "number", "number", "string"],
    run: (reader, [, mode, block, key]) => reader.authenticate(mode === 0x61 ? "B" : "A", number(block), text(key)),
  },
  TyA_CS_Read: { types: ["number", "number"], run: (reader, [, block]) => reader.read(number(block)), data: "value" },
  TyA_CS_Write: {
    types: ["number", "number", "string"],
    run: (reader, [, block, data]) => reader.write(number(block), text(data)),
  },
};

/** Runs a request and formats the answer as the real service does. */
function answerTo(reader: VirtualReader, body: unknown): object {
  const { func, cbdata, parameters } = Object(body) as Record<string, unknown>;
  const handler = typeof func === "string" ? FUNCTIONS[func] : undefined;
  if (!handler || !Array.isArray(parameters)) return { code: 0, msg: `unknown function ${String(func)}`, func, cbdata };
  const hasWrongTypes =
    handler.types.length !== parameters.length || handler.types.some((type, at) => typeof parameters[at] !== type);
  if (hasWrongTypes) return { code: 0, msg: `wrong parameters for ${func}`, func, cbdata };
  const isOpening = func === "Sys_Open";
  const outcome = !isOpening && parameters[0] !== DEVICE_ID ? refused(RETVAL.handle) : handler.run(reader, parameters);
  reader.note(`13570 ${func} → ${outcome.retval}`);
  return { code: 1, msg: "", func, cbdata, retval: outcome.retval, data: dataOf(handler, isOpening, outcome) };
}

function dataOf({ data }: ReaderFunction, isOpening: boolean, outcome: Outcome): object {
  if (outcome.retval !== RETVAL.done) return {};
  if (isOpening) return { device_id: DEVICE_ID };
  if (!data) return {};
  return { [data]: data === "type" ? Number.parseInt(outcome.data, 16) : outcome.data };
}

export function httpReaderServer(reader: VirtualReader): Server {
  return jsonServer(async (request, response) => {
    const body = await bodyOf(request);
    await pause(reader.faults.slow);
    // The service's clients send this header, which distinguishes them from unrelated web pages.
    if (request.url !== "/reader" || request.headers.myheade !== "true") return sendJson(response, {}, 404);
    if (reader.faults.garbage) {
      response.writeHead(200).end('{"code":1,"retv');
      return;
    }
    sendJson(response, answerTo(reader, body));
  });
}

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
        return { result: request.template === this.template && this.isStoredFeature(request.feature) ? "0" : "-9" };
      default:
        return { result: "-3" };
    }
  }

  private isStoredFeature(feature: unknown): boolean {
    return [...this.features.values()].some((stored) => stored === feature);
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
