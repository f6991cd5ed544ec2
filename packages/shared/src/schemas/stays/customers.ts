import { z } from "zod";
import { CardState, CustomerKind, KeyStatus } from "../../enums.ts";
import { sortsOf } from "../../lists.ts";
import { lockContact } from "../access/cards.ts";
import * as f from "../fields.ts";
import { GuestState } from "./stays.ts";

/** Customers: people and companies who book. */
export const customerInput = z.object({
  id: f.id.optional(),
  kind: CustomerKind,
  name: f.requiredText(120),
  mobile: f.optionalPhone,
  email: f.optionalEmail,
  company: f.text(120).default(""),
  /** as receipts name them; left out: unchanged */
  address: f.text(300).optional(),
  taxNumber: f.text(40).optional(),
  note: f.text(1000).default(""),
});
export type CustomerInput = z.infer<typeof customerInput>;
export const customerRef = z.object({ id: z.int() });
export const customerRow = customerInput.extend({
  id: z.int(),
  frozen: z.boolean(),
  stayCount: z.int(),
  inHouse: z.boolean(),
  createdAt: z.string(),
});
export const CustomerSort = z.enum(sortsOf("customers"));
export const customerListInput = z.object({
  keyword: f.text(100).default(""),
  kind: CustomerKind.optional(),
  frozen: z.boolean().optional(),
  sort: CustomerSort.default("name"),
  ...f.page,
});
export const customerListRow = customerRow.extend({
  /** live cards of all their stays; null: the reader may not see cards */
  cardCount: z.int().nullable(),
});
export const customerListOutput = z.object({ rows: z.array(customerListRow), total: z.int() });
export type CustomerListInput = z.infer<typeof customerListInput>;
export type CustomerListOutput = z.infer<typeof customerListOutput>;
export const freezeCustomerInput = z.object({ id: f.id, frozen: z.boolean() });

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
