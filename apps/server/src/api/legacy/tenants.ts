import type { GuestState } from "@innkey/shared/schemas/stays/stays";
import type { z } from "zod";
import { type GuestFilters, withCards } from "../../domain/stays/guests/guests.queries.ts";
import { maskDocumentNumber } from "../../domain/stays/guests/identity.ts";
import type { Scope } from "../../kernel/scope.ts";
import * as f from "./fields.ts";
import { GENDERS, GUEST_STATES } from "./words.ts";

/** Guest formats of old clients, which call the guests of a room "tenants" and the guests of the hotel "passengers". */

const { out } = f;
export const DOCUMENTS = ["id_card", "passport", "driving_licence", "residence_permit", "other"] as const;

/** Input fields of a guest. */
export const guestFields = {
  name: f.name(120, "Ann Lee"),
  gender: f.choice(GENDERS, "female").optional(),
  nationality: f.name(2, "DE").optional(),
  birth: f.date("1990-05-17").optional(),
  id_type: f.choice(DOCUMENTS, "passport").optional(),
  id_number: f.name(40, "C01X00T47").optional(),
  mobile: f.text(40, "+49301234567").optional(),
  email: f.text(254, "ann@guest.example").optional(),
};

/** Converts a guest to `guestInput`, which ignores a masked document number from one of our answers. */
export function guestOf(input: z.output<z.ZodObject<typeof guestFields>>) {
  return {
    name: input.name,
    gender: input.gender,
    nationality: input.nationality?.toUpperCase(),
    birthDate: input.birth,
    documentType: input.id_type,
    documentNumber: input.id_number,
    mobile: input.mobile,
    email: input.email,
  };
}

/** Fields of a person in every answer. */
export const personAnswer = {
  name: out.text("Ann Lee"),
  gender: out.choice(GENDERS, "female").nullable(),
  nationality: out.text("DE"),
  birth: out.date("1990-05-17").nullable(),
  id_number: out.text("•••••••47"),
  mobile: out.text("+49301234567"),
};

export const tenantAnswer = {
  manage_id: out.id(21),
  room_id: out.id(),
  room_name: out.text("101"),
  ...personAnswer,
  check_in_time: out.time(),
  check_out_time: out.time(1_772_532_000),
  remaining: out.int(86_400),
  breakfast: out.flag(1),
  other_information: out.text("Late arrival"),
  state: out.choice(GUEST_STATES, "in"),
  card_count: out.int(2),
};

interface Person {
  name: string;
  gender: (typeof GENDERS)[number] | null;
  nationality: string | null;
  birthDate: string | null;
  documentNumber: string;
  mobile: string;
}

export function personOf(guest: Person) {
  return {
    name: guest.name,
    gender: guest.gender,
    nationality: guest.nationality ?? "",
    birth: guest.birthDate,
    id_number: maskDocumentNumber(guest.documentNumber),
    mobile: guest.mobile,
  };
}

type Tenant = Awaited<ReturnType<typeof withCards>>["rows"][number];

/** Returns the legacy state; a reservation whose guests never came counts as "out". */
const stateWord = (state: GuestState): (typeof GUEST_STATES)[number] =>
  state === "cancelled" || state === "no_show" ? "out" : state;
const STATES: Record<(typeof GUEST_STATES)[number], readonly GuestState[]> = {
  reserved: ["reserved"],
  in: ["in"],
  expired: ["expired"],
  out: ["out", "cancelled", "no_show"],
};

export function tenantOf(guest: Tenant) {
  return {
    manage_id: guest.stayGuestId,
    room_id: guest.roomId,
    room_name: guest.roomName,
    ...personOf(guest),
    check_in_time: f.seconds(guest.startsAt),
    check_out_time: f.seconds(guest.endsAt),
    remaining: guest.remainingSeconds,
    breakfast: f.bit(guest.breakfast),
    other_information: guest.otherInformation,
    state: stateWord(guest.state),
    card_count: guest.cardCount ?? 0,
  };
}

interface TenantPage {
  state?: (typeof GUEST_STATES)[number] | undefined;
  page: number;
  page_size: number;
}

/** Returns a page of guests, newest arrival first. */
export async function tenants(scope: Scope, filters: Omit<GuestFilters, "states">, input: TenantPage) {
  const states = input.state && STATES[input.state];
  const { rows, total } = await withCards(scope, { ...filters, states }, f.pageOf(input));
  const list = rows.map(tenantOf);
  return f.pageAnswer(list, total, input);
}
