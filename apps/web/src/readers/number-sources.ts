import { uidOf } from "@/readers/protocol/hex.ts";
import { ReaderError } from "./reader-error.ts";

/** The part of Web NFC that we use. Chrome on Android has it, on https pages. */
interface NdefReader extends EventTarget {
  scan(options: { signal: AbortSignal }): Promise<void>;
}
type NdefReaderMaker = new () => NdefReader;

export function phoneReader(scope: object = globalThis): NdefReaderMaker | undefined {
  return "NDEFReader" in scope ? (scope.NDEFReader as NdefReaderMaker) : undefined;
}

/** Returns the number of the next card held to the phone. The browser asks for permission the first time. */
export async function readByPhone(Maker: NdefReaderMaker, signal: AbortSignal): Promise<string> {
  const controller = new AbortController();
  const reader = new Maker();
  try {
    await reader.scan({ signal: AbortSignal.any([signal, controller.signal]) });
    return await new Promise<string>((resolve, reject) => {
      signal.addEventListener("abort", () => reject(new ReaderError("cancelled", "anticollision")), { once: true });
      // A card that isn't formatted has a number too.
      for (const name of ["reading", "readingerror"])
        reader.addEventListener(name, (event) => {
          const uid = uidOf(String((event as { serialNumber?: string }).serialNumber ?? ""));
          if (uid) resolve(uid);
          else reject(new ReaderError("uidFailed", "anticollision"));
        });
    });
  } catch (error) {
    if (error instanceof ReaderError) throw error;
    throw new ReaderError(signal.aborted ? "cancelled" : "openFailed", "open", { message: messageOf(error) });
  } finally {
    controller.abort();
  }
}

const messageOf = (error: unknown): string | undefined => (error instanceof Error ? error.message : undefined);

/** Longest pause between two keys of a reader. Readers type faster than people. */
const MAX_KEY_PAUSE_MS = 80;

interface TypedKey {
  key: string;
  /** Monotonic time in milliseconds. */
  at: number;
}

/**
 * Recognises a card's number in keystrokes: typed quickly and ended with Enter, for which it returns the number.
 */
export function keyboardWedge(): (typed: TypedKey) => string | undefined {
  let text = "";
  let last = 0;
  return ({ key, at }) => {
    if (at - last > MAX_KEY_PAUSE_MS) text = "";
    last = at;
    if (key === "Enter") {
      const uid = uidOf(text);
      text = "";
      return uid;
    }
    if (key.length === 1) text += key;
    return undefined;
  };
}
