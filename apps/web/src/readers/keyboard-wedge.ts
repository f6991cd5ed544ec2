import { uidOf } from "./uid.ts";

/** Readers type faster than people: between two keys of theirs there is no longer pause, in milliseconds. */
const MAX_PAUSE = 80;

export interface TypedKey {
  key: string;
  /** milliseconds on a clock that doesn't jump */
  at: number;
}

/** Recognises a card's number in keys: typed quickly and ended with Enter. Gives it with the key that ends it. */
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
