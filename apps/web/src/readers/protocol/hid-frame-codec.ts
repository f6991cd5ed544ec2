import { bytesOf, hexOfBytes } from "./hex.ts";

export interface Frame {
  /** four hex digits */
  code: string;
  /** hex */
  argument: string;
}

export interface FrameAnswer {
  code: string;
  status: number;
  /** hex */
  data: string;
}

/** Encodes commands in the reports of a HID reader. */
export interface HidFrameCodec {
  encode(frame: Frame): Uint8Array;
  /** Returns undefined for reports that contain no frame or a damaged one. */
  decode(bytes: Uint8Array): FrameAnswer | undefined;
}

const check = (bytes: Iterable<number>): number => Array.from(bytes).reduce((sum, byte) => sum ^ byte, 0);
const MIN_ANSWER = 5;

/**
 * Our own frame format, since the maker's isn't published; with the hardware at hand, replace this object. Request:
 * length of the frame, two bytes command, arguments, XOR of all before. Answer: length, command, status, data, XOR. The
 * rest of a report is padding.
 */
export const defaultFrames: HidFrameCodec = {
  encode({ code, argument }) {
    const body = bytesOf(`${code}${argument}`);
    const frame = [body.length + 2, ...body];
    return Uint8Array.from([...frame, check(frame)]);
  },

  decode(bytes) {
    const length = bytes[0] ?? 0;
    const frame = bytes.subarray(0, length);
    if (length < MIN_ANSWER || frame.length < length || check(frame) !== 0) return undefined;
    const status = frame[3];
    if (status === undefined) return undefined;
    return { code: hexOfBytes(frame.subarray(1, 3)), status, data: hexOfBytes(frame.subarray(4, length - 1)) };
  },
};
