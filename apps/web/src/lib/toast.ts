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

/** Returns whether anything was ever announced; the toaster is loaded from then on. */
export function useToasterRequested(): boolean {
  return useSyncExternalStore(subscribe, () => requested);
}

/** Resolves once the toaster is mounted. It is loaded with the first announcement. */
export function untilToasterShown(): Promise<void> {
  return mounted;
}

/** Called when the toaster is mounted; announcements before that would be lost. */
export function markToasterShown(): void {
  markShown();
}

function announcing(kind: "success" | "error" | "info") {
  return (message: string, options?: ExternalToast): void => {
    requested = true;
    for (const listener of listeners) listener();
    const startedAt = Date.now();
    void Promise.all([loadWhenReachable(() => import("sonner")), mounted]).then(([{ toast }]) => {
      // If the toaster could not be loaded until the server was back, the announcement is outdated.
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
