import { encoded, hasCode } from "../protocol/command-codes.ts";
import { bytesOf, hexOf, hexOfBytes } from "../protocol/hex.ts";
import { defaultFrames, type HidFrameCodec } from "../protocol/hid-frame-codec.ts";
import { RETVAL } from "../protocol/retval.ts";
import { ReaderError, refused, type Step } from "../reader-error.ts";
import type { Call, Command, ReaderLine } from "./reader-line.ts";
import { failureOfWait, withLimit } from "./time-limit.ts";

/** Type 2: a bridge to HID devices on port 8765 (source: specification, sections 7 and 9). */
export const HID_BRIDGE_URL = "http://localhost:8765";
/** Addresses to try: the one in the specification, then the one that public programs for this hardware use. */
export const HID_IDS = [
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
    const written = await post(
      `${url}/write`,
      { data: hexOfBytes(frames.encode(frame)), timeout, readlength: REPORT_BYTES },
      step,
      call,
    );
    if (!written.ok) throw new ReaderError("notConnected", step, { message: written.message });
    const answer = frames.decode(bytesOf(hexOf(written.data ?? "") ?? ""));
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
