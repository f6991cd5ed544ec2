import * as s from "@innkey/shared/schemas/stays/stays";
import { z } from "zod";
import * as stays from "../../../domain/desk/public.ts";
import type { Scope } from "../../../kernel/scope.ts";
import { call } from "../endpoint.ts";
import * as f from "../fields.ts";
import { guestFields, guestOf } from "../tenants.ts";
import { STAY_UNITS } from "../words.ts";

const { out } = f;

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

function takeDown(scope: Scope, input: Fields, stayGuestId: number) {
  const { place: occupancy, flags, arrival } = toCheckIn(scope, input);
  const request = {
    stayGuestId,
    guest: guestOf(input),
    ...occupancy,
    ...flags,
    arrival: input.reserve ? null : arrival,
  };
  return stays.takeDown(scope, s.takeDownInput.parse(request));
}

/** Calls of the check-in form: a new stay, the arrival of a reservation, or changed guest data. */
export const checkInCalls = [
  call("room/tenant/update/checkIn", {
    summary:
      "Without manage_id a new stay: a check-in, or with reserve a reservation. With manage_id that person's data and what the stay includes, where what is left out stays as it is; of a reservation it is the arrival, unless reserve is set. Unit and price are of a new stay. With manage_id another room or departure than on the books is refused, since exchangeHouses and setRenew change them.",
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
      const booked = stayGuestId === undefined ? await begin(scope, input) : await takeDown(scope, input, stayGuestId);
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
