import { z } from "zod";
import { CardState, KeyStatus } from "../enums.ts";
import { lockContact } from "./cards.ts";
import * as f from "./fields.ts";
import { customerRow } from "./people.ts";
import { GuestState } from "./stays.ts";

/** One customer with open stays, balance and cards. Values that the reader may not see are null. */
export const customerIdInput = z.object({ id: f.id });
export const customerDetail = customerRow.extend({
  /** reserved or checked-in stays, in any room */
  openStays: z.int(),
  /** amount owed over the stays that the reader may see; negative: the hotel owes the customer */
  balanceMinor: z.int().nullable(),
  /** cards of those stays */
  cards: z
    .array(
      z.object({
        id: z.int(),
        uid: z.string(),
        note: z.string(),
        state: CardState,
        standing: KeyStatus,
        ...lockContact,
        usedAt: z.string().nullable(),
        validTo: z.string().nullable(),
        roomName: z.string(),
        guestName: z.string().nullable(),
        stayGuestId: z.int().nullable(),
      }),
    )
    .nullable(),
  readers: z.array(z.object({ id: z.int(), name: z.string(), deviceNo: z.string(), online: z.boolean() })).nullable(),
});
export type CustomerDetail = z.infer<typeof customerDetail>;

export const customerStaysInput = z.object({ customerId: f.id, ...f.page });
export const customerStayRow = z.object({
  stayId: z.int(),
  stayGuestId: z.int(),
  guestName: z.string(),
  roomId: z.int(),
  roomName: z.string(),
  startsAt: z.string(),
  endsAt: z.string(),
  state: GuestState,
  owedMinor: z.int(),
});
export type CustomerStayRow = z.infer<typeof customerStayRow>;
export const customerStays = z.object({ rows: z.array(customerStayRow), total: z.int() });
