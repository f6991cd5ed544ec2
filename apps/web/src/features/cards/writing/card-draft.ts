import { z } from "zod";

const draft = z.object({
  note: z.string(),
  roomIds: z.array(z.int()),
  lasting: z.enum(["always", "until"]),
  validFrom: z.string().nullable(),
  validTo: z.string().nullable(),
});
export type CardDraft = z.infer<typeof draft>;

const KEY = "cardDraft";
const EMPTY: CardDraft = { note: "", roomIds: [], lasting: "always", validFrom: null, validTo: null };

/** A management card as far as it is described, while its rooms are being chosen on a page of their own. */
export function readDraft(): CardDraft {
  try {
    return draft.parse(JSON.parse(sessionStorage.getItem(KEY) ?? ""));
  } catch {
    return EMPTY;
  }
}

export function keepDraft(next: Partial<CardDraft>): void {
  sessionStorage.setItem(KEY, JSON.stringify({ ...readDraft(), ...next }));
}

export function dropDraft(): void {
  sessionStorage.removeItem(KEY);
}
