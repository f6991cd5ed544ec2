import { Suspense, useSyncExternalStore } from "react";
import { lazyPart } from "@/lib/app-lazy.ts";
import type { Confirmation, PendingConfirmation } from "./confirm-dialog.tsx";

const ConfirmDialog = lazyPart(() => import("./confirm-dialog.tsx"));

let pending: PendingConfirmation | null = null;
const listeners = new Set<() => void>();

function show(next: PendingConfirmation | null): void {
  pending = next;
  for (const listener of listeners) listener();
}

/** Asks and waits for the answer. A second question dismisses the first. */
export function confirm(confirmation: Confirmation): Promise<boolean> {
  pending?.answer(false);
  return new Promise((resolve) => {
    show({
      ...confirmation,
      answer: (confirmed) => {
        show(null);
        resolve(confirmed);
      },
    });
  });
}

export function useConfirm(): typeof confirm {
  return confirm;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Rendered once, in the root route. */
export function ConfirmHost() {
  const current = useSyncExternalStore(subscribe, () => pending);
  return (
    current && (
      <Suspense>
        <ConfirmDialog {...current} />
      </Suspense>
    )
  );
}
