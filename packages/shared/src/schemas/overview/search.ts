import { z } from "zod";
import { CardKind, FolioEntryType, StayState } from "../../enums.ts";
import * as f from "../fields.ts";

/** Limit of results per kind. */
export const MAX_RESULTS = 6;

/**
 * A name or its beginning in any script, a phone number, a card's number in any notation, or the number of an entry or
 * a guest.
 */
export const searchInput = z.object({ query: f.requiredText(100) });

export const roomMatch = z.object({ roomId: z.int(), name: z.string(), remarkName: z.string() });
/** A guest with their newest stay that the caller may see. */
export const guestMatch = z.object({
  guestId: z.int(),
  stayGuestId: z.int(),
  stayId: z.int(),
  name: z.string(),
  mobile: z.string(),
  roomName: z.string(),
  state: StayState,
  startsAt: z.string(),
});
export const customerMatch = z.object({ customerId: z.int(), name: z.string(), company: z.string() });
export const cardMatch = z.object({
  cardId: z.int(),
  uid: z.string(),
  kind: CardKind,
  note: z.string(),
  live: z.boolean(),
  /** null without the permission to see stays */
  stayGuestId: z.int().nullable(),
  guestName: z.string().nullable(),
});
export const orderMatch = z.object({
  entryId: z.int(),
  type: FolioEntryType,
  amountMinor: z.int(),
  stayGuestId: z.int().nullable(),
  guestName: z.string().nullable(),
});
export const passcodeMatch = z.object({
  passcodeId: z.int(),
  person: z.string(),
  roomName: z.string(),
  ended: z.boolean(),
});

/** Best matches first, at most MAX_FOUND of each kind; what the caller may not see is left out. */
export const searchOutput = z.object({
  rooms: z.array(roomMatch),
  guests: z.array(guestMatch),
  customers: z.array(customerMatch),
  cards: z.array(cardMatch),
  entries: z.array(orderMatch),
  passcodes: z.array(passcodeMatch),
});
export type SearchResult = z.infer<typeof searchOutput>;
