import { useSyncExternalStore } from "react";
import type { ExternalToast } from "sonner";
import { loadWhenReachable } from "./loading/missing-part.ts";

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

/** Whether anything was ever announced. The toaster is loaded then and stays loaded. */
export function useToasterRequested(): boolean {
  return useSyncExternalStore(subscribe, () => requested);
}

/** Resolves once announcements are visible. The toaster is loaded with the first one. */
export function untilToasterShown(): Promise<void> {
  return mounted;
}

/** Notes that the toaster is ready; announcements made earlier would be lost. */
export function markToasterShown(): void {
  markShown();
}

function announcing(kind: "success" | "error" | "info") {
  return (message: string, options?: ExternalToast): void => {
    requested = true;
    for (const listener of listeners) listener();
    const startedAt = Date.now();
    void Promise.all([loadWhenReachable(() => import("sonner")), mounted]).then(([{ toast }]) => {
      // If the toaster had to wait for the server to be back, the announcement is outdated.
      if (Date.now() - startedAt <= (options?.duration ?? Number.POSITIVE_INFINITY)) toast[kind](message, options);
    });
  };
}

/** Announces briefly what was done or failed. */
export const toast = {
  success: announcing("success"),
  error: announcing("error"),
  info: announcing("info"),
};
