import { useSyncExternalStore } from "react";

let isOpen = false;
const listeners = new Set<() => void>();

/** Opens the hand-over notes beside the current page, from wherever they are shown. */
export function setHandOverOpen(open: boolean): void {
  isOpen = open;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useHandOverOpen(): boolean {
  return useSyncExternalStore(subscribe, () => isOpen);
}
