import * as s from "@innkey/shared/schemas/stays/stays";
import { z } from "zod";
import { doorCode } from "../../../domain/access/passcodes/passcodes.service.ts";
import * as stays from "../../../domain/desk/public.ts";
import type { Scope } from "../../../kernel/scope.ts";
import { call } from "../endpoint.ts";
import * as f from "../fields.ts";
import { guestFields, guestOf, tenantAnswer, tenants } from "../tenants.ts";
import { GUEST_STATES, ROOM_STATUSES, STAY_UNITS } from "../words.ts";

const { out } = f;
const stayGuestId = f.id(21);
const confirm = f.flag().optional();

/** Calls for stays: lists, moves, extensions and check-out. */
export const staysCalls = [
  call("room/tenant/list", {
    summary:
      "Guests with their stays, newest arrival first; with `room_id`, those who were, are or will be in that room. `remaining` is the time until the planned departure, in seconds; a cancelled reservation is `out`.",
    input: { room_id: f.id().optional(), state: f.choice(GUEST_STATES, "in").optional(), ...f.paging },
    output: f.listOf(tenantAnswer),
    async run({ scope }, input) {
      const { room_id: roomId } = input;
      return tenants(scope, { keyword: "", roomId }, input);
    },
  }),
  call("room/tenant/limitPassword", {
    summary:
      "The door code of a guest's party; if it has none, a new one is sent to the lock. Repeated calls return the same code.",
    changes: true,
    input: { manage_id: stayGuestId },
    output: z.strictObject({
      id: out.id(33),
      password: out.text("482915"),
      start: out.time(),
      end: out.time(1_772_532_000).nullable(),
    }),
    errors: ["lock_missing", "stay_expired", "state_conflict"],
    async run({ scope }, input) {
      const { passcodeId, code, validFrom, validTo } = await doorCode(scope, input.manage_id);
      return { id: passcodeId, password: code, start: f.seconds(validFrom), end: f.optionalSeconds(validTo) };
    },
  }),
  call("room/exchangeHouses", {
    summary:
      "Moves a party to another room for the rest of its stay. `price` is an agreed price for the rest; a positive difference is owed, a negative one is refunded.",
    changes: true,
    input: {
      manage_id: stayGuestId,
      room_id: f.id(18),
      disable_old_cards: f.flag().optional(),
      price: f.money().optional(),
      confirm,
    },
    output: z.strictObject({ manage_id: out.id(21), room_id: out.id(18), difference: out.money("30.00") }),
    errors: ["room_taken", "room_not_ready", "stay_expired", "state_conflict", "price_missing"],
    async run({ scope }, input) {
      const accepted = s.changeRoomInput.omit({ stayId: true }).parse({
        roomId: input.room_id,
        disableOldCards: input.disable_old_cards,
        agreedTotalMinor: f.optionalMinor(scope, input.price, "price"),
        confirmDirty: input.confirm,
      });
      const { roomId, differenceMinor } = await stays.changeRoom(scope, { ...accepted, stayGuestId: input.manage_id });
      return { manage_id: input.manage_id, room_id: roomId, difference: f.moneyOf(scope, differenceMinor) };
    },
  }),
  call("room/setRenew", {
    summary: "Moves the planned departure later; charges only the added time, or the agreed `price`.",
    changes: true,
    input: { manage_id: stayGuestId, check_out_time: f.time(1_772_618_400), price: f.money().optional() },
    output: z.strictObject({
      order_id: out.id(41).nullable(),
      total: out.money(),
      check_out_time: out.time(1_772_618_400),
    }),
    errors: ["room_taken", "state_conflict", "price_missing"],
    async run({ scope }, input) {
      const accepted = s.renewInput.omit({ stayId: true }).parse({
        endsAt: input.check_out_time,
        agreedTotalMinor: f.optionalMinor(scope, input.price, "price"),
      });
      const { entryId, totalMinor, endsAt } = await stays.renew(scope, { ...accepted, stayGuestId: input.manage_id });
      return { order_id: entryId, total: f.moneyOf(scope, totalMinor), check_out_time: f.seconds(endsAt) };
    },
  }),
  call("room/checkOut", {
    summary:
      "Ends the stay now. The deposit first settles what is owed; the rest is returned through the channel it was paid with, unless `refund_deposit` is 0. Other credit is paid out in cash if the caller may refund, otherwise it remains the guest's credit. `order_id` is the last order that this call created, or else the room charge. If something is still owed, `confirm` is required, and it remains owed.",
    changes: true,
    input: { manage_id: stayGuestId, refund_deposit: f.flag().optional(), confirm },
    output: z.strictObject({
      order_id: out.id(42).nullable(),
      refund: out.money("50.00"),
      room_status: out.choice(ROOM_STATUSES, "dirty"),
    }),
    errors: ["unpaid", "state_conflict"],
    async run({ scope }, input) {
      const accepted = s.checkOutInput.omit({ stayId: true }).parse({
        refundDeposit: input.refund_deposit,
        confirmUnpaid: input.confirm,
      });
      const { entryId, refundMinor, roomStatus } = await stays.checkOut(scope, {
        ...accepted,
        stayGuestId: input.manage_id,
      });
      return { order_id: entryId, refund: f.moneyOf(scope, refundMinor), room_status: roomStatus };
    },
  }),
  call("room/addPassenger", {
    summary: "Adds a guest to the stay of another guest.",
    changes: true,
    input: { manage_id: stayGuestId, ...guestFields, confirm },
    output: z.strictObject({ manage_id: out.id(22) }),
    errors: ["guest_already_in", "state_conflict"],
    async run({ scope }, input) {
      const accepted = s.addGuestInput
        .omit({ stayId: true })
        .parse({ guest: guestOf(input), confirmAlreadyIn: input.confirm });
      return { manage_id: (await stays.addGuest(scope, { ...accepted, stayGuestId: input.manage_id })).stayGuestId };
    },
  }),
  call("room/deletePassenger", {
    summary: "Removes a guest from a stay; the last guest of a party can't be removed.",
    changes: true,
    input: { manage_id: stayGuestId },
    output: f.nothing,
    errors: ["last_guest", "state_conflict"],
    async run({ scope }, input) {
      await stays.removeGuest(scope, input.manage_id);
      return {};
    },
  }),
];

const fields = {
  manage_id: f.id(21).optional(),
  room_id: f.id(),
  check_in_time: f.time(),
  check_out_time: f.time(1_772_532_000),
  unit: f.choice(STAY_UNITS, "day").default("day"),
  ...guestFields,
  breakfast: f.flag().optional(),
  other_information: f.text(1000, "Late arrival").optional(),
  disable_old_cards: f.flag().optional(),
  id_card_match: f.flag(0).optional(),
  deposit: f.money("50.00").optional(),
  price: f.money().optional(),
  customer_id: f.id(9).optional(),
  reserve: f.flag(0).default(false),
  confirm: f.flag().optional(),
};
type Fields = z.output<z.ZodObject<typeof fields>>;

/** Returns the input that a new stay and the arrival of a reservation share. */
function toCheckIn(scope: Scope, input: Fields) {
  return {
    place: { roomId: input.room_id, startsAt: input.check_in_time, endsAt: input.check_out_time },
    flags: {
      breakfast: input.breakfast,
      otherInformation: input.other_information,
      disableOldCards: input.disable_old_cards,
      idCardMatch: input.id_card_match,
      customerId: input.customer_id,
    },
    arrival: {
      depositMinor: f.optionalMinor(scope, input.deposit, "deposit"),
      confirmAlreadyIn: input.confirm,
      confirmDirty: input.confirm,
    },
  };
}

function begin(scope: Scope, input: Fields) {
  const { place: occupancy, flags, arrival } = toCheckIn(scope, input);
  const agreedTotalMinor = f.optionalMinor(scope, input.price, "price");
  const guests = [guestOf(input)];
  const booking = { ...occupancy, ...flags, ...arrival, unit: input.unit, guests, agreedTotalMinor };
  return input.reserve
    ? stays.reserve(scope, s.reserveInput.parse(booking))
    : stays.checkIn(scope, s.checkInInput.parse(booking));
}

function updateRegistration(scope: Scope, input: Fields, stayGuestId: number) {
  const { place: occupancy, flags, arrival } = toCheckIn(scope, input);
  const request = {
    stayGuestId,
    guest: guestOf(input),
    ...occupancy,
    ...flags,
    arrival: input.reserve ? null : arrival,
  };
  return stays.updateRegistration(scope, s.updateRegistrationInput.parse(request));
}

/** Calls of the check-in form: a new stay, the arrival of a reservation, or changed guest data. */
export const checkInCalls = [
  call("room/tenant/update/checkIn", {
    summary:
      "Without `manage_id`: a new stay, either a check-in or, with `reserve`, a reservation. With `manage_id`: changes that person's data and the stay's extras, where omitted fields are unchanged; for a reservation it is the arrival, unless `reserve` is set. `unit` and `price` apply to new stays. With `manage_id`, another room or departure than booked is refused; exchangeHouses and setRenew change them.",
    changes: true,
    input: fields,
    output: z.strictObject({
      manage_id: out.id(21),
      stay_id: out.id(20),
      order_id: out.id(40),
      total: out.money(),
      deposit: out.money("50.00"),
    }),
    errors: [
      "room_taken",
      "room_not_ready",
      "guest_already_in",
      "price_missing",
      "customer_frozen",
      "stay_expired",
      "arrival_too_early",
      "state_conflict",
    ],
    async run({ scope }, input) {
      const { manage_id: stayGuestId } = input;
      const booked =
        stayGuestId === undefined ? await begin(scope, input) : await updateRegistration(scope, input, stayGuestId);
      return {
        manage_id: booked.stayGuestId,
        stay_id: booked.stayId,
        order_id: booked.entryId,
        total: f.moneyOf(scope, booked.totalMinor),
        deposit: f.moneyOf(scope, booked.depositMinor),
      };
    },
  }),
];
