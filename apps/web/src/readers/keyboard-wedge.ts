import { uidOf } from "./protocol/uid.ts";

/** Longest pause between two keys of a reader, in milliseconds. Readers type faster than people. */
const MAX_PAUSE = 80;

export interface TypedKey {
  key: string;
  /** Monotonic time in milliseconds. */
  at: number;
}

/**
 * Recognises a card's number in keystrokes: typed quickly and ended with Enter. Returns it with the key that ends it.
 */
export function keyboardWedge(): (typed: TypedKey) => string | undefined {
  let text = "";
  let last = 0;
  return ({ key, at }) => {
    if (at - last > MAX_PAUSE) text = "";
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
