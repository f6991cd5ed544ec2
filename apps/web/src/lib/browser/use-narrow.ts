import { useSyncExternalStore } from "react";
import { NARROW } from "./narrow.ts";

function subscribe(listener: () => void): () => void {
  const narrow = matchMedia(NARROW);
  narrow.addEventListener("change", listener);
  return () => narrow.removeEventListener("change", listener);
}

/** Checks whether the screen is as narrow as a phone, where little fits and dialogs have their buttons at the bottom. */
export function useNarrow(): boolean {
  return useSyncExternalStore(subscribe, () => matchMedia(NARROW).matches);
}
