import { SPECIAL_CARD_KINDS } from "@innkey/shared/words";
import { z } from "zod";

const draft = z.object({
  kind: z.enum(["management", ...SPECIAL_CARD_KINDS]).default("management"),
  /** emergency and block-out cards: every door of the hotel */
  allDoors: z.boolean().default(true),
  note: z.string(),
  roomIds: z.array(z.int()),
  /** common doors */
  doorIds: z.array(z.int()).default([]),
  groupIds: z.array(z.int()).default([]),
  zoneIds: z.array(z.int()).default([]),
  hours: z.array(z.object({ days: z.array(z.int()), from: z.string(), to: z.string() })).default([]),
  lasting: z.enum(["always", "until"]),
  validFrom: z.string().nullable(),
  validTo: z.string().nullable(),
});
export type CardDraft = z.infer<typeof draft>;

const KEY = "cardDraft";
const EMPTY: CardDraft = {
  kind: "management",
  allDoors: true,
  note: "",
  roomIds: [],
  doorIds: [],
  groupIds: [],
  zoneIds: [],
  hours: [],
  lasting: "always",
  validFrom: null,
  validTo: null,
};

/** Returns the draft of a staff or special card. It is kept in session storage while its rooms are chosen on a separate page. */
export function readDraft(): CardDraft {
  try {
    return draft.parse(JSON.parse(sessionStorage.getItem(KEY) ?? ""));
  } catch {
    return EMPTY;
  }
}

export function saveDraft(next: Partial<CardDraft>): void {
  sessionStorage.setItem(KEY, JSON.stringify({ ...readDraft(), ...next }));
}

export function clearDraft(): void {
  sessionStorage.removeItem(KEY);
}
