import { useSyncExternalStore } from "react";
import type { ExternalToast } from "sonner";
import { untilLoaded } from "./loading/missing-part.ts";

let requested = false;
const listeners = new Set<() => void>();
let markShown = (): void => undefined;
const mounted = new Promise<void>((resolve) => {
  markShown = resolve;
});

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Whether anything was announced yet: the box for it is loaded then, and stays. */
export function useToasterRequested(): boolean {
  return useSyncExternalStore(subscribe, () => requested);
}

/** The box says that it is there: what is announced before would be lost. */
export function markToasterShown(): void {
  markShown();
}

function announcing(kind: "success" | "error" | "info") {
  return (message: string, options?: ExternalToast): void => {
    requested = true;
    for (const listener of listeners) listener();
    const startedAt = Date.now();
    void Promise.all([untilLoaded(() => import("sonner")), mounted]).then(([{ toast }]) => {
      // Its time is over when the box had to wait for the server to be back.
      if (Date.now() - startedAt <= (options?.duration ?? Number.POSITIVE_INFINITY)) toast[kind](message, options);
    });
  };
}

/** Says in passing what was done or failed. */
export const toast = {
  success: announcing("success"),
  error: announcing("error"),
  info: announcing("info"),
};
