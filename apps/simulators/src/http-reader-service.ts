import type { Server } from "node:http";
import { done, type Outcome, RETVAL, refused } from "./retval.ts";
import { bodyOf, jsonServer, pause, sendJson } from "./service.ts";
import type { VirtualReader } from "./virtual-reader.ts";

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
export function answerTo(reader: VirtualReader, body: unknown): object {
  const { func, cbdata, parameters } = Object(body) as Record<string, unknown>;
  const handler = typeof func === "string" ? FUNCTIONS[func] : undefined;
  if (!handler || !Array.isArray(parameters)) return { code: 0, msg: `unknown function ${String(func)}`, func, cbdata };
  const wrong =
    handler.types.length !== parameters.length || handler.types.some((type, at) => typeof parameters[at] !== type);
  if (wrong) return { code: 0, msg: `wrong parameters for ${func}`, func, cbdata };
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
