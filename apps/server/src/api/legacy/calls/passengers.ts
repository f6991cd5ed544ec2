import * as c from "@innkey/shared/schemas/access/cards";
import { passcodesInput } from "@innkey/shared/schemas/access/passcodes";
import * as s from "@innkey/shared/schemas/stays/stays";
import { CARD_KINDS, KEY_STANDINGS } from "@innkey/shared/words";
import { z } from "zod";
import * as cardQueries from "../../../domain/access/cards/cards.queries.ts";
import * as cards from "../../../domain/access/cards/cards.service.ts";
import * as passcodes from "../../../domain/access/passcodes/passcodes.queries.ts";
import * as stays from "../../../domain/overview/stays.queries.ts";
import type { Scope } from "../../../kernel/scope.ts";
import { call } from "../endpoint.ts";
import * as f from "../fields.ts";
import { DOCUMENTS, personAnswer, personOf, tenantAnswer, tenantByGuest, tenants } from "../tenants.ts";
import { GUEST_STATES, guestStateOf, ORDER_STATES, ORDER_WORDS, orderStateOf, orderWordOf } from "../words.ts";
import { passwordOf, passwordRow } from "./passwords.ts";

const { out } = f;
/** Page size above the number of keys of any party. */
const MAX_KEYS = 200;

const passengerAnswer = {
  manage_id: out.id(21),
  ...personAnswer,
  email: out.text("ann@guest.example"),
  id_type: out.choice(DOCUMENTS, "passport").nullable(),
  primary: out.flag(1),
};

const infoAnswer = {
  ...tenantAnswer,
  passengers: z.array(z.strictObject(passengerAnswer)),
  cards: z.array(
    z.strictObject({
      card_id: out.id(31),
      card_num: out.text("DA3CBC66"),
      cardNote: out.text("Second card"),
      kind: out.choice(CARD_KINDS),
      state: out.choice(KEY_STANDINGS, "active"),
      start: out.time(),
      end: out.time(1_772_532_000).nullable(),
    }),
  ),
  passwords: z.array(z.strictObject(passwordRow)),
  orders: z.array(
    z.strictObject({
      order_id: out.id(40),
      type: out.choice(ORDER_WORDS),
      amount: out.money(),
      state: out.choice(ORDER_STATES),
      manage_id: out.id(21).nullable(),
      room_name: out.text("101"),
      operator: out.text("Cara Weiss"),
      create_time: out.time(),
    }),
  ),
};

function passengersOf({ guests }: s.StayDetail) {
  return guests.map((guest) => ({
    manage_id: guest.stayGuestId,
    ...personOf(guest),
    email: guest.email,
    id_type: guest.documentType,
    primary: f.bit(guest.primary),
  }));
}

/** Returns a party's cards, including revoked ones; none if the caller may not see cards. */
async function cardsOf(scope: Scope, stayId: number) {
  if (!scope.can("cards.view")) return [];
  return (await cardQueries.listStayCards(scope, stayId)).map((card) => ({
    card_id: card.id,
    card_num: card.uid,
    cardNote: card.note,
    kind: card.kind,
    state: card.standing,
    start: f.seconds(card.validFrom),
    end: f.optionalSeconds(card.validTo),
  }));
}

/** Returns a party's live codes; none if the caller may not see codes. */
async function passwordsOf(scope: Scope, stayId: number) {
  if (!scope.can("passcodes.view")) return [];
  const { rows } = await passcodes.list(scope, passcodesInput.parse({ stayId, pageSize: MAX_KEYS }));
  return rows.map((code) => passwordOf(code));
}

/** Returns a party's charges, payments and refunds, oldest first; none if the caller may not see orders. */
function ordersOf(scope: Scope, stay: s.StayDetail) {
  const payer = stay.guests.find(({ primary }) => primary)?.stayGuestId ?? null;
  return stay.entries.map((entry) => ({
    order_id: entry.id,
    type: orderWordOf(entry.type),
    amount: f.moneyOf(scope, entry.amountMinor),
    state: orderStateOf(entry),
    manage_id: payer,
    room_name: stay.room.name,
    operator: entry.operatorName ?? "",
    create_time: f.seconds(entry.createdAt),
  }));
}

/** Calls for guests of the hotel. */
export const passengersCalls = [
  call("passenger/getRoomInfo", {
    summary: "Who in the house holds a card, by its number in any way of writing it; an empty list if nobody does.",
    input: { card_num: f.name(40, "DA3CBC66") },
    output: z.array(
      z.strictObject({
        manage_id: out.id(21),
        other_information: out.text("Late arrival"),
        room_id: out.id(),
        room_name: out.text("101"),
        name: out.text("Ann Lee"),
        state: out.choice(GUEST_STATES, "in"),
        check_in_time: out.time(),
        check_out_time: out.time(1_772_532_000),
      }),
    ),
    async run({ scope }, { card_num: number }) {
      const now = scope.now().toISOString();
      const match = await cardQueries.lookUp(scope, c.lookUpInput.parse({ number }).number);
      return match.map((guest) => ({
        manage_id: guest.stayGuestId,
        other_information: guest.otherInformation,
        room_id: guest.roomId,
        room_name: guest.roomName,
        name: guest.guestName,
        state: guestStateOf({ state: "checked_in", expired: guest.endsAt <= now }),
        check_in_time: f.seconds(guest.startsAt),
        check_out_time: f.seconds(guest.endsAt),
      }));
    },
  }),
  call("passenger/deleteCardByCardId", {
    summary: "Takes a card back; it is revoking until every lock that it opens refuses it.",
    changes: true,
    input: { card_id: f.id(31) },
    output: f.nothing,
    errors: ["state_conflict"],
    async run({ scope }, { card_id: cardId }) {
      await cards.revoke(scope, c.revokeCardInput.parse({ cardId }));
      return {};
    },
  }),
  call("passenger/list", {
    summary:
      "Guests with their stays, newest arrival first: those whose stay touches the period from start up to end. The keyword is looked for in name, phone, room and other information, or is a whole document number.",
    input: {
      keyword: f.text(100, "Ann").optional(),
      state: f.choice(GUEST_STATES, "in").optional(),
      start: f.time().optional(),
      end: f.time(1_772_532_000).optional(),
      ...f.paging,
    },
    output: f.listOf(tenantAnswer),
    names: { from: "start", to: "end" },
    async run({ scope }, input) {
      const { keyword, start: from, end: to } = input;
      const { state: _word, ...filters } = s.guestListInput.parse({ keyword, from, to });
      return tenants(scope, filters, input);
    },
  }),
  call("passenger/info", {
    summary:
      "A guest with the stay: the whole party, its cards also taken back, its live codes without their digits, and its orders. What the operator may not see is an empty list.",
    input: { manage_id: f.id(21) },
    output: z.strictObject(infoAnswer),
    async run({ scope }, { manage_id: stayGuestId }) {
      const { tenant, stayId } = await tenantByGuest(scope, stayGuestId);
      const stay = await stays.detail(scope, stayId);
      return {
        ...tenant,
        passengers: passengersOf(stay),
        cards: await cardsOf(scope, stayId),
        passwords: await passwordsOf(scope, stayId),
        orders: ordersOf(scope, stay),
      };
    },
  }),
];
