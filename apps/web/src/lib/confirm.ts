import type { ReactNode } from "react";

export type Confirmation = {
  title: ReactNode;
  /** Names the consequence: "Room 301 is freed now and marked dirty." */
  description?: ReactNode;
  /** Names the action with a verb: "Check out". */
  confirmLabel: string;
  cancelLabel?: string;
  tone?: "danger" | "primary";
  /** Runs while the dialog stays open and busy. If it rejects, the dialog stays open. */
  action?: () => Promise<unknown>;
};

export type PendingConfirmation = Confirmation & { answer: (confirmed: boolean) => void };

let pending: PendingConfirmation | null = null;
const listeners = new Set<() => void>();

function show(next: PendingConfirmation | null): void {
  pending = next;
  for (const listener of listeners) listener();
}

/** Asks the question and returns the answer. A second question dismisses the first. */
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

export const pendingConfirmation = (): PendingConfirmation | null => pending;

export function onConfirmation(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
