import { z } from "zod";
import { HOUR_MS } from "../../durations.ts";
import { DocumentType, FolioEntryType, Gender, PaymentChannel, RoomStatus, StayState, StayUnit } from "../../enums.ts";
import { MAX_GUESTS } from "../../limits.ts";
import { sortsOf } from "../../lists.ts";
import { MAX_STAY_DAYS, MIN_STAY_MS } from "../../price-rules.ts";
import { GUEST_STATES } from "../../words.ts";
import * as f from "../fields.ts";
import { quoteLine } from "../property/rooms.ts";

/** A person's identity as the desk records it. Only the name is required. */
export const guestInput = z.object({
  name: f.requiredText(120),
  gender: Gender.nullable().default(null),
  nationality: f.country.nullable().default(null),
  birthDate: f.localDateField
    .refine((date) => date >= "1900-01-01" && date <= new Date().toISOString().slice(0, 10), f.v.birthDate)
    .nullable()
    .default(null),
  documentType: DocumentType.nullable().default(null),
  documentNumber: f.documentNumber.default(""),
  mobile: f.optionalPhone,
  email: f.optionalEmail,
});
export type GuestInput = z.infer<typeof guestInput>;

interface PeriodInput {
  startsAt: string;
  endsAt: string;
}

/**
 * Requires check-out at least one hour after check-in (source: specification, section 5) and a period short enough to
 * be quoted.
 */
export function checkPeriod({ startsAt, endsAt }: PeriodInput, ctx: z.core.$RefinementCtx<PeriodInput>): void {
  const length = Date.parse(endsAt) - Date.parse(startsAt);
  const fail = (message: string): void => {
    ctx.issues.push({ code: "custom", message, path: ["endsAt"], input: endsAt });
  };
  if (length < 0) fail(f.v.endBeforeStart);
  else if (length < MIN_STAY_MS) fail(f.v.checkOutTooEarly);
  else if (length > MAX_STAY_DAYS * 24 * HOUR_MS) fail(f.v.stayTooLong);
}

const period = { startsAt: f.instant, endsAt: f.instant };

export const quoteInput = z.object({ roomId: f.id, unit: StayUnit, ...period }).superRefine(checkPeriod);
export const quoteOutput = z.object({
  lines: z.array(quoteLine),
  totalMinor: z.int(),
  depositMinor: z.int(),
  nights: z.int(),
});
export type QuoteOutput = z.infer<typeof quoteOutput>;

/** Payment method; null: the amount stays owed. */
const payment = { channel: PaymentChannel.nullable().default(null) };

const booking = {
  roomId: f.id,
  unit: StayUnit,
  ...period,
  guests: z.array(guestInput).min(1, f.v.required).max(MAX_GUESTS),
  breakfast: z.boolean().default(false),
  otherInformation: f.text(1000).default(""),
  /** kept for old clients, and decides nothing: the first card of a stay ends those of earlier stays in any case */
  disableOldCards: z.boolean().default(true),
  /** the guest's ID card opens the door */
  idCardMatch: z.boolean().default(false),
  customerId: f.id.nullable().default(null),
  /** a total agreed at the desk instead of the quoted one (needs prices.agree) */
  agreedTotalMinor: f.priceMinor.nullable().default(null),
  /** the total that the clerk saw; if it has changed since, the call fails with price_changed */
  expectedTotalMinor: z.int().nullable().default(null),
  ...payment,
  /** continue although the guest is already checked into a room */
  confirmAlreadyIn: z.boolean().default(false),
};

export const reserveInput = z.object(booking).superRefine(checkPeriod);
export type ReserveInput = z.infer<typeof reserveInput>;

/** continue although the room is not cleaned yet (otherwise room_not_ready) */
const confirmDirty = { confirmDirty: z.boolean().default(false) };

/** A null deposit means the one in the room's prices. */
const deposit = {
  ...confirmDirty,
  depositMinor: f.amountMinor.nullable().default(null),
  depositChannel: PaymentChannel.default("cash"),
};

export const checkInInput = z.object({ ...booking, ...deposit }).superRefine(checkPeriod);
export type CheckInInput = z.infer<typeof checkInInput>;

/** Checks in the party of a reservation. */
export const arriveInput = z.object({
  stayId: f.id,
  ...deposit,
  ...payment,
  confirmAlreadyIn: z.boolean().default(false),
});

export const stayCreated = z.object({
  stayId: z.int(),
  stayGuestId: z.int(),
  entryId: z.int(),
  totalMinor: z.int(),
  depositMinor: z.int(),
});

export const renewQuoteInput = z.object({ stayId: f.id, endsAt: f.instant, unit: StayUnit.optional() });
export const renewInput = renewQuoteInput.extend({
  agreedTotalMinor: f.priceMinor.nullable().default(null),
  expectedTotalMinor: z.int().nullable().default(null),
  ...payment,
});
export const renewed = z.object({
  stayId: z.int(),
  entryId: z.int().nullable(),
  totalMinor: z.int(),
  endsAt: z.string(),
});

export const changeRoomQuoteInput = z.object({ stayId: f.id, roomId: f.id });
export const changeRoomInput = changeRoomQuoteInput.extend({
  /** kept for old clients, and decides nothing: the cards of the former room end in any case */
  disableOldCards: z.boolean().default(true),
  /** agreed price of the rest of the stay in the new room (needs prices.agree) */
  agreedTotalMinor: f.priceMinor.nullable().default(null),
  expectedDifferenceMinor: z.int().nullable().default(null),
  ...confirmDirty,
  ...payment,
});
export const changeRoomQuote = z.object({
  credit: z.array(quoteLine),
  charge: z.array(quoteLine),
  creditMinor: z.int(),
  chargeMinor: z.int(),
  differenceMinor: z.int(),
});
export const roomChanged = z.object({
  stayId: z.int(),
  roomId: z.int(),
  entryId: z.int().nullable(),
  differenceMinor: z.int(),
});

/**
 * Account of a stay. Positive `owedMinor`: the guest owes; `unusedMinor`: charged nights that have not begun;
 * `depositChannels`: how the deposit that is held was paid, which is how it goes back.
 */
export const stayMoney = z.object({
  chargedMinor: z.int(),
  paidMinor: z.int(),
  owedMinor: z.int(),
  depositHeldMinor: z.int(),
  depositChannels: z.array(PaymentChannel),
  unusedMinor: z.int(),
});

/** Channel that pays out the guest's credit; null: it stays a credit. Left out: cash if the caller may pay out. */
const payout = { refundChannel: PaymentChannel.nullable().optional() };

export const checkOutInput = z.object({
  stayId: f.id,
  /** false: the whole debt is paid through `channel`; otherwise the deposit settles it first */
  useDeposit: z.boolean().optional(),
  /** part of the remaining deposit that the hotel keeps as income once nothing is owed */
  keepDeposit: z
    .object({ amountMinor: f.amountMinor.min(1, f.v.amount), reason: f.requiredText(200) })
    .nullable()
    .optional(),
  /**
   * Returns the rest of the deposit, each part through the channel it was paid by; false: the hotel keeps holding it.
   * Left out: the deposit is returned, unless the caller is a program.
   */
  refundDeposit: z.boolean().optional(),
  /** refunds charged nights that were not used, at most stayMoney.unusedMinor */
  refundUnusedMinor: f.amountMinor.default(0),
  /** how the debt is paid now; null while something is owed requires confirmUnpaid */
  ...payment,
  ...payout,
  confirmUnpaid: z.boolean().default(false),
});
export type CheckOutInput = z.infer<typeof checkOutInput>;
export const checkedOut = z.object({
  stayId: z.int(),
  roomId: z.int(),
  /** the last entry that the check-out wrote; if it wrote none, the entry that charged the room */
  entryId: z.int().nullable(),
  /** status of the room after check-out */
  roomStatus: RoomStatus,
  paidMinor: z.int(),
  /** amount that left the hotel, returned deposit included */
  refundMinor: z.int(),
  depositUsedMinor: z.int(),
  depositKeptMinor: z.int(),
  /** deposit that the hotel still holds */
  depositHeldMinor: z.int(),
  /** negative: the guest's credit */
  owedMinor: z.int(),
});

/** `keysRevoked`: the cards, codes and faces that were issued since the check-in and no longer open the door. */
export const checkInUndone = z.object({ stayId: z.int(), keysRevoked: z.int() });

/** `keysLost`: the codes and cards that don't work again and must be issued anew. */
export const checkOutUndone = z.object({ stayId: z.int(), keysLost: z.int() });

/** What of the room's price a stay that didn't come still pays. */
export const NO_SHOW_CHARGES = ["nothing", "first_night", "everything"] as const;
export const noShowInput = z.object({
  stayId: f.id,
  charge: z.enum(NO_SHOW_CHARGES).default("nothing"),
  reason: f.text(200).default(""),
  ...payout,
});
export const noShowQuote = z.object({
  firstNightMinor: z.int(),
  everythingMinor: z.int(),
  /** extras that were charged already */
  othersMinor: z.int(),
});

/** `isMoneyBack`: what the end of the stay paid out is with the hotel again; otherwise the guest owes it. */
export const reinstateInput = z.object({
  stayId: f.id,
  roomId: f.id.optional(),
  isMoneyBack: z.boolean().default(false),
});

export const cancelInput = z.object({ stayId: f.id, ...payout });

export const updateStayInput = z.object({
  stayId: f.id,
  breakfast: z.boolean(),
  otherInformation: f.text(1000).default(""),
  idCardMatch: z.boolean(),
  customerId: f.id.nullable().default(null),
});

export const stayRef = z.object({ stayId: f.id });
export const stayGuestRef = z.object({ stayGuestId: f.id });
export const addGuestInput = z.object({
  stayId: f.id,
  guest: guestInput,
  confirmAlreadyIn: z.boolean().default(false),
});
export const updateGuestInput = z.object({
  stayGuestId: f.id,
  /** null leaves the document's number unchanged */
  guest: guestInput.extend({ documentNumber: f.changedDocumentNumber.default(null) }),
});

const shape = guestInput.shape;
/** Changes the recorded data of a guest; fields that are left out stay unchanged. */
const patchGuestInput = z.object({
  name: shape.name,
  gender: shape.gender.unwrap().optional(),
  nationality: shape.nationality.unwrap().optional(),
  birthDate: shape.birthDate.unwrap().optional(),
  documentType: shape.documentType.unwrap().optional(),
  documentNumber: f.changedDocumentNumber.optional(),
  mobile: shape.mobile.unwrap().optional(),
  email: shape.email.unwrap().optional(),
});
/**
 * Records any guests of a party, with what their stay includes; `arrival` is for a party that is already checked in.
 */
export const updateRegistrationInput = z.object({
  stayGuestId: f.id,
  guest: patchGuestInput,
  breakfast: z.boolean().optional(),
  otherInformation: f.text(1000).optional(),
  idCardMatch: z.boolean().optional(),
  disableOldCards: z.boolean().optional(),
  customerId: f.id.optional(),
  arrival: arriveInput.omit({ stayId: true }).nullable(),
  /** room that the desk assumes; other calls change the room */
  roomId: f.id.optional(),
  startsAt: f.instant.optional(),
  endsAt: f.instant.optional(),
});
export type UpdateRegistrationInput = z.infer<typeof updateRegistrationInput>;

export const entryRow = z.object({
  id: z.int(),
  type: FolioEntryType,
  amountMinor: z.int(),
  channel: PaymentChannel.nullable(),
  refundsEntryId: z.int().nullable(),
  /** the part that can still be refunded */
  refundableMinor: z.int(),
  /** how much of it was refunded; `done` also for entries that pay money out, which can't be refunded themselves */
  refundState: z.enum(["done", "partly_refunded", "refunded"]),
  /** of an extra: what was charged; of a cancellation: why */
  note: z.string(),
  /** how many of an extra or of breakfasts, and what one costs; null for other entries */
  quantity: z.int().nullable(),
  unitMinor: z.int().nullable(),
  /** hotel-local date on which breakfasts were served */
  serviceDate: z.string().nullable(),
  operatorName: z.string().nullable(),
  createdAt: z.string(),
  lines: z.array(quoteLine),
});

export const stayGuest = z.object({
  stayGuestId: z.int(),
  guestId: z.int(),
  primary: z.boolean(),
  name: z.string(),
  gender: Gender.nullable(),
  nationality: z.string().nullable(),
  birthDate: z.string().nullable(),
  documentType: DocumentType.nullable(),
  /** masked unless the reader has guests.documents */
  documentNumber: z.string(),
  mobile: z.string(),
  email: z.string(),
});

export const stayDetail = z.object({
  id: z.int(),
  state: StayState,
  expired: z.boolean(),
  unit: StayUnit,
  startsAt: z.string(),
  endsAt: z.string(),
  checkedInAt: z.string().nullable(),
  /** whether the guest checked in on their own page */
  checkedInByGuest: z.boolean(),
  checkedOutAt: z.string().nullable(),
  cancelledAt: z.string().nullable(),
  /** why the guests didn't come; remains after the reservation was reinstated */
  noShowReason: z.string(),
  /** what undoing the check-in gives back to the guest; null: it can't be undone */
  checkInUndo: z.object({ givenBackMinor: z.int() }).nullable(),
  /** what undoing the check-out takes back from the guest and gives back; null: it can't be undone */
  checkOutUndo: z.object({ takenBackMinor: z.int(), givenBackMinor: z.int() }).nullable(),
  breakfast: z.boolean(),
  otherInformation: z.string(),
  disableOldCards: z.boolean(),
  idCardMatch: z.boolean(),
  /** whether an identity card was read that opens the door; a wish without one opens nothing */
  idCardRead: z.boolean(),
  customer: z.object({ id: z.int(), name: z.string() }).nullable(),
  room: z.object({ id: z.int(), name: z.string() }),
  occupancies: z.array(
    z.object({
      roomId: z.int(),
      roomName: z.string(),
      startsAt: z.string(),
      endsAt: z.string().nullable(),
      state: z.string(),
    }),
  ),
  guests: z.array(stayGuest),
  money: stayMoney,
  entries: z.array(entryRow),
});
export type StayDetail = z.infer<typeof stayDetail>;

/** The legacy words for the state of a guest; expired means checked in past the planned departure. */
export const GuestState = z.enum(GUEST_STATES);
export type GuestState = z.infer<typeof GuestState>;

export const guestListInput = z.object({
  keyword: f.text(100).default(""),
  state: GuestState.optional(),
  roomId: f.id.optional(),
  customerId: f.id.optional(),
  from: f.instant.optional(),
  to: f.instant.optional(),
  /** what has to lie in the period: any part of the stay, its arrival or its departure */
  by: z.enum(["stay", "arrival", "departure"]).default("stay"),
  /** by balance only for one of the states reserved, in and expired, and only with folio.view */
  sort: z.enum(sortsOf("guests")).default("-arrival"),
  ...f.page,
});
export const guestCountsInput = guestListInput.pick({ keyword: true, from: true, to: true, by: true });
/** Guests in each state; null: not counted. */
export const guestCountsOutput = z.object({
  reserved: z.int(),
  in: z.int(),
  expired: z.int(),
  out: z.int().nullable(),
  cancelled: z.int().nullable(),
  no_show: z.int().nullable(),
});
export const guestRow = z.object({
  stayGuestId: z.int(),
  stayId: z.int(),
  roomId: z.int(),
  roomName: z.string(),
  name: z.string(),
  gender: Gender.nullable(),
  nationality: z.string().nullable(),
  documentNumber: z.string(),
  mobile: z.string(),
  startsAt: z.string(),
  endsAt: z.string(),
  state: GuestState,
  breakfast: z.boolean(),
  otherInformation: z.string(),
  primary: z.boolean(),
});
export const guestListRow = guestRow.extend({
  /** whether the stay's last act, its check-in or check-out, may still be undone */
  undoable: z.boolean(),
  /** amount that the stay owes; negative: the hotel owes the guest; null: the reader may not see it */
  balanceMinor: z.int().nullable(),
  /** live cards of the stay; null: the reader may not see cards */
  cardCount: z.int().nullable(),
});
export const guestListOutput = z.object({ rows: z.array(guestListRow), total: z.int() });

/** Finds earlier guests whose name, phone or exact document number matches, to fill the form for a returning guest. */
export const guestSearchInput = z.object({ query: f.requiredText(80) });
export const matchingGuest = stayGuest
  .omit({ stayGuestId: true, primary: true })
  .extend({ lastStayAt: z.string().nullable() });
