import type { OpeningReason } from "@innkey/shared/enums";

/** Why staff open the door of an occupied room. */
export type OpeningWhy = { reason: OpeningReason; note: string };

export type OpeningQuestion = { roomName: string; answer: (why: OpeningWhy | null) => void };

let question: OpeningQuestion | null = null;
const listeners = new Set<() => void>();

function show(next: OpeningQuestion | null): void {
  question = next;
  for (const listener of listeners) listener();
}

/** Asks why the door of an occupied room is opened; null: it stays shut. A second question replaces the first. */
export function askOpeningReason(roomName: string): Promise<OpeningWhy | null> {
  question?.answer(null);
  return new Promise((resolve) => {
    show({
      roomName,
      answer: (why) => {
        show(null);
        resolve(why);
      },
    });
  });
}

export const openingQuestion = (): OpeningQuestion | null => question;

export function onOpeningQuestion(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
