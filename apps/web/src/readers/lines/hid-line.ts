import { encoded, hasCode } from "@/readers/protocol/command-codes.ts";
import { bytesOf, hexOf, hexOfBytes } from "@/readers/protocol/hex.ts";
import { RETVAL, ReaderError, refused, type Step } from "@/readers/reader-error.ts";
import { type Call, type Command, failureOfWait, type ReaderLine, withLimit } from "./reader-line.ts";

interface Frame {
  /** Four hex digits. */
  code: string;
  /** Hex. */
  argument: string;
}

interface FrameAnswer {
  code: string;
  status: number;
  /** Hex. */
  data: string;
}

/** Encodes commands in the reports of a HID reader. */
interface HidFrameCodec {
  encode(frame: Frame): Uint8Array;
  /** Returns undefined for reports that contain no frame or a damaged one. */
  decode(bytes: Uint8Array): FrameAnswer | undefined;
}

const xorOf = (bytes: Iterable<number>): number => Array.from(bytes).reduce((sum, byte) => sum ^ byte, 0);
const MIN_ANSWER_BYTES = 5;

/**
 * A frame format of our own, because the manufacturer's isn't published; replace this object once the hardware is
 * available. Request: length of the frame, command (two bytes), arguments, XOR of all bytes before. Answer: length,
 * command, status, data, XOR. The rest of a report is padding.
 */
export const defaultFrames: HidFrameCodec = {
  encode({ code, argument }) {
    const body = bytesOf(`${code}${argument}`);
    const frame = [body.length + 2, ...body];
    return Uint8Array.from([...frame, xorOf(frame)]);
  },

  decode(bytes) {
    const length = bytes[0] ?? 0;
    const frame = bytes.subarray(0, length);
    if (length < MIN_ANSWER_BYTES || frame.length < length || xorOf(frame) !== 0) return undefined;
    const status = frame[3];
    if (status === undefined) return undefined;
    return { code: hexOfBytes(frame.subarray(1, 3)), status, data: hexOfBytes(frame.subarray(4, length - 1)) };
  },
};

/** Type 2: a bridge to HID devices on port 8765 (source: specification, sections 7 and 9). */
const HID_BRIDGE_URL = "http://localhost:8765";
/** Addresses to try: the one in the specification, then the one that public programs for this hardware use. */
const HID_IDS = [
  { vid: 1047, pid: 32800 },
  { vid: 1046, pid: 32800 },
] as const;
const REPORT_BYTES = 64;

interface HidLineOptions {
  url?: string;
  device?: number;
  frames?: HidFrameCodec;
}

interface BridgeAnswer {
  ok: boolean;
  data?: string;
  message?: string;
}

/** Creates the line to a reader behind the HID bridge. `device` is its index, if there are several. */
export function hidLine(options: HidLineOptions = {}): ReaderLine {
  const { url = HID_BRIDGE_URL, device = 0, frames = defaultFrames } = options;

  async function exchange(command: Command, call: Call): Promise<string> {
    const { step } = command;
    if (step === "open") {
      let opened: BridgeAnswer = { ok: false };
      for (const ids of HID_IDS) {
        opened = await post(`${url}/open`, ids, step, call);
        if (opened.ok) break;
      }
      if (!opened.ok) throw new ReaderError("noDevice", step, { retval: RETVAL.noDevice, message: opened.message });
    }
    const frame = encoded(command, device);
    const timeout = call.limit;
    const answerToWrite = await post(
      `${url}/write`,
      { data: hexOfBytes(frames.encode(frame)), timeout, readlength: REPORT_BYTES },
      step,
      call,
    );
    if (!answerToWrite.ok) throw new ReaderError("notConnected", step, { message: answerToWrite.message });
    const answer = frames.decode(bytesOf(hexOf(answerToWrite.data ?? "") ?? ""));
    if (!answer || answer.code !== frame.code) throw new ReaderError("badAnswer", step);
    const isOpen = step === "open" && answer.status === RETVAL.alreadyOpen;
    if (answer.status !== 0 && !isOpen) throw refused(step, answer.status);
    return answer.data;
  }

  return { exchange, supports: hasCode, drop: () => undefined };
}

async function post(url: string, body: object, step: Step, call: Call): Promise<BridgeAnswer> {
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
      signal: withLimit(call),
    });
    const answer = (await response.json()) as Partial<BridgeAnswer> | null;
    if (typeof answer?.ok !== "boolean") throw new ReaderError("badAnswer", step);
    return { ok: answer.ok, data: answer.data, message: answer.message };
  } catch (error) {
    if (error instanceof SyntaxError) throw new ReaderError("badAnswer", step);
    throw failureOfWait(error, step, call);
  }
}
