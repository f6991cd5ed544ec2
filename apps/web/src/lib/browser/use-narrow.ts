import { useSyncExternalStore } from "react";

const narrow = matchMedia("(max-width: 639.98px)");

function subscribe(listener: () => void): () => void {
  narrow.addEventListener("change", listener);
  return () => narrow.removeEventListener("change", listener);
}

/** Checks whether the screen is as narrow as a phone, where little fits and dialogs have their buttons at the bottom. */
export function useNarrow(): boolean {
  return useSyncExternalStore(subscribe, () => narrow.matches);
}
