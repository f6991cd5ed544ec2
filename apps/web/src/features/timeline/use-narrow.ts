import { useSyncExternalStore } from "react";

const narrow = matchMedia("(max-width: 639.98px)");

function subscribe(listener: () => void): () => void {
  narrow.addEventListener("change", listener);
  return () => narrow.removeEventListener("change", listener);
}

/** A phone's width, on which few days have room. */
export function useNarrow(): boolean {
  return useSyncExternalStore(subscribe, () => narrow.matches);
}
