import { RETVAL } from "@/readers/reader-error.ts";
import { hexOf } from "../protocol/hex.ts";
import { ReaderError, refused, type Step } from "../reader-error.ts";
import { type Call, type Command, failureOfWait, type ReaderLine, withLimit } from "./reader-line.ts";

/** Type 1: the reader service that answers HTTP on port 13570 (source: device notes, section A1). */
export const HTTP_READER_URL = "http://localhost:13570/reader";

type Parameter = string | number;

/** Sends numbers as JavaScript numbers and everything else as text, because the service refuses wrong types. */
const FUNCTIONS: { [Name in Step]: (command: Extract<Command, { step: Name }>) => [name: string, ...Parameter[]] } = {
  open: () => ["Sys_Open"],
  close: () => ["Sys_Close"],
  serial: () => ["Sys_GetSnr"],
  model: () => ["Sys_GetModel"],
  buzzer: () => ["Sys_SetBuzzer", 20],
  light: ({ color }) => ["Sys_SetLight", color],
  antenna: ({ on }) => ["Sys_SetAntenna", on ? 1 : 0],
  radio: () => ["Sys_InitType", "A"],
  request: () => ["TyA_Request", 0x52],
  anticollision: () => ["TyA_Anticollision"],
  longUid: () => ["TyA_NTAG_AnticollSelect"],
  select: ({ uid }) => ["TyA_Select", uid],
  halt: () => ["TyA_Halt"],
  authenticate: ({ keyType, block, key }) => ["TyA_CS_Authentication2", keyType === "A" ? 0x60 : 0x61, block, key],
  read: ({ block }) => ["TyA_CS_Read", block],
  write: ({ block, data }) => ["TyA_CS_Write", block, data],
};

interface Answer {
  code: number;
  msg?: string;
  func?: string;
  retval?: number;
  data: Record<string, unknown>;
}

interface HttpLineOptions {
  url?: string;
  /** Index, if there are several readers. */
  device?: number;
}

/** Creates the line to a reader whose service answers HTTP requests with JSON. */
export function httpLine({ url = HTTP_READER_URL, device = 0 }: HttpLineOptions = {}): ReaderLine {
  let deviceId: number | undefined;
  /** The number exactly as the service wrote it, because selecting a card needs it unchanged. */
  let lastNumber = "";

  async function exchange(command: Command, call: Call): Promise<string> {
    const { step } = command;
    const [func, ...parameters] = (FUNCTIONS[step] as (command: Command) => [string, ...Parameter[]])(command);
    const unchanged = step === "select" && hexOf(lastNumber) === parameters[0] ? [lastNumber] : parameters;
    const first = step === "open" ? device : (deviceId ?? device);
    const answer = await post(url, func, [first, ...unchanged], step, call);
    if (answer.code !== 1) throw new ReaderError("callFailed", step, { message: answer.msg });
    if (answer.retval === undefined) throw new ReaderError("badAnswer", step);
    // A reader that is already open may not report its number again.
    const currentId = answer.data.device_id ?? deviceId;
    const isOpen = step === "open" && answer.retval === RETVAL.alreadyOpen && currentId !== undefined;
    if (answer.retval !== 0 && !isOpen) throw refused(step, answer.retval);
    return dataOf(step, answer.data);
  }

  function dataOf(step: Step, data: Record<string, unknown>): string {
    if (step === "open") {
      const id = data.device_id ?? deviceId;
      if (typeof id !== "number") throw new ReaderError("badAnswer", step);
      deviceId = id;
    }
    if (step === "request") return typeof data.type === "number" ? data.type.toString(16) : "";
    if (step === "model") return textOf(data.model) || textOf(data.value);
    const text = textOf(data.snr) || textOf(data.value);
    if (step === "anticollision" || step === "longUid") lastNumber = text;
    const hex = hexOf(text);
    if (hex === undefined) throw new ReaderError("badAnswer", step);
    // A serial number has four bytes and a long number seven; some services append a check byte to the latter.
    return step === "longUid" ? hex.slice(0, 14) : hex;
  }

  return { exchange, supports: () => true, drop: () => undefined };
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

async function post(url: string, func: string, parameters: Parameter[], step: Step, call: Call): Promise<Answer> {
  let text: string;
  try {
    const response = await fetch(url, {
      method: "POST",
      // The service's own clients send JSON under this content type.
      headers: { myHeade: "true", "content-type": "application/x-www-form-urlencoded; charset=UTF-8" },
      body: JSON.stringify({ func, cbdata: "", parameters }),
      signal: withLimit(call),
    });
    text = await response.text();
  } catch (error) {
    throw failureOfWait(error, step, call);
  }
  const answer = parseAnswer(text);
  if (!answer || (answer.func !== undefined && answer.func !== func)) throw new ReaderError("badAnswer", step);
  return answer;
}

function parseAnswer(text: string): Answer | undefined {
  try {
    const { code, msg, func, retval, data } = Object(JSON.parse(text)) as Record<string, unknown>;
    if (typeof code !== "number") return undefined;
    return {
      code,
      msg: typeof msg === "string" ? msg : undefined,
      func: typeof func === "string" ? func : undefined,
      retval: typeof retval === "number" ? retval : undefined,
      data: Object(data) as Record<string, unknown>,
    };
  } catch {
    return undefined;
  }
}
