import { z } from "zod";
import { normalUid, uidCandidates } from "../cards/uid.ts";
import * as f from "./fields.ts";

export const CardState = z.enum(["pending", "active", "revoking", "revoked"]);
export type CardState = z.infer<typeof CardState>;
export const CardKind = z.enum(["guest", "management", "universal"]);

/** A UID as a reader gives it: hex of 4, 7 or 10 bytes, any case and separators. */
export const uid = z
  .string({ error: f.v.required })
  .max(40, f.v.uid)
  .transform((value, ctx) => {
    const found = normalUid(value);
    if (found) return found;
    ctx.issues.push({ code: "custom", message: f.v.uid, input: value });
    return z.NEVER;
  });

export const block = z
  .string({ error: f.v.required })
  .trim()
  .toUpperCase()
  .regex(/^[0-9A-F]{32}$/, f.v.hex);

export const prepareCardInput = z.object({
  stayId: f.id,
  uid,
  note: f.text(100).default(""),
  /** a new issue sequence: every card written for the room before stops working at the door */
  disableOldCards: z.boolean().default(false),
});

/** What the browser writes: blocks by absolute number, keys and data as upper-case hex. */
export const preparedCard = z.object({
  cardId: z.int(),
  uid: z.string(),
  keyType: z.enum(["A", "B"]),
  sectorKey: z.string(),
  /** a card that still has its delivery key gets the sector key first */
  sector: z.int(),
  dataBlock: z.int(),
  data: z.string(),
  validFrom: z.string(),
  validTo: z.string().nullable(),
});
export type PreparedCard = z.infer<typeof preparedCard>;

export const confirmCardInput = z.object({ cardId: f.id, readBack: block });
export const cardRef = z.object({ cardId: f.id });
export const cardOutcome = z.object({ cardId: z.int(), state: CardState });

export const cardRow = z.object({
  id: z.int(),
  uid: z.string(),
  kind: CardKind,
  note: z.string(),
  state: CardState,
  validFrom: z.string(),
  validTo: z.string().nullable(),
  roomName: z.string().nullable(),
  /** the stay ends later than the card does: it has to be written again */
  tooShort: z.boolean(),
  operatorName: z.string().nullable(),
  createdAt: z.string(),
});
export type CardRow = z.infer<typeof cardRow>;
export const cardsOfStay = z.array(cardRow);

/** Any way of writing a card's number: hex in either byte order, or decimal. */
export const lookUpInput = z.object({
  number: f.requiredText(40).refine((value) => uidCandidates(value).length > 0, f.v.uid),
});
export const cardGuest = z.object({
  cardId: z.int(),
  manageId: z.int(),
  stayId: z.int(),
  otherInformation: z.string(),
  roomId: z.int(),
  roomName: z.string(),
  guestName: z.string(),
  endsAt: z.string(),
});
export const cardGuests = z.array(cardGuest);
