import * as c from "@innkey/shared/schemas/access/cards";
import * as s from "@innkey/shared/schemas/stays/stays";
import { KEY_STATUSES } from "@innkey/shared/words";
import { z } from "zod";
import * as cardQueries from "../../../domain/access/cards/cards.queries.ts";
import * as cards from "../../../domain/access/cards/cards.service.ts";
import { type Party, readParty } from "../../../domain/overview/party.queries.ts";
import type { Scope } from "../../../kernel/scope.ts";
import { LEGACY_CARD_KINDS, legacyCardKind } from "../card-kinds.ts";
import { call } from "../endpoint.ts";
import * as f from "../fields.ts";
import { DOCUMENTS, personAnswer, personOf, tenantAnswer, tenantOf, tenants } from "../tenants.ts";
import { GUEST_STATES, ORDER_STATES, ORDER_WORDS, orderAmountOf, orderWordOf } from "../words.ts";
import { passwordOf, passwordRow } from "./passwords.ts";

const { out } = f;

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
      kind: out.choice(LEGACY_CARD_KINDS),
      state: out.choice(KEY_STATUSES, "active"),
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

const passengerOf = (guest: Party["guests"][number]) => ({
  manage_id: guest.stayGuestId,
  ...personOf(guest),
  email: guest.email,
  id_type: guest.documentType,
  primary: f.bit(guest.primary),
});

const cardOf = (card: Party["cards"][number]) => ({
  card_id: card.id,
  card_num: card.uid,
  cardNote: card.note,
  kind: legacyCardKind(card.kind),
  state: card.standing,
  start: f.seconds(card.validFrom),
  end: f.optionalSeconds(card.validTo),
});

const orderOf = (scope: Scope, { payerStayGuestId, roomName }: Party, entry: Party["entries"][number]) => ({
  order_id: entry.id,
  type: orderWordOf(entry.type),
  amount: f.moneyOf(scope, orderAmountOf(entry)),
  state: entry.refundState,
  manage_id: payerStayGuestId,
  room_name: roomName,
  operator: entry.operatorName ?? "",
  create_time: f.seconds(entry.createdAt),
});

/** Calls for guests of the hotel. */
export const passengersCalls = [
  call("passenger/getRoomInfo", {
    summary: "Checked-in guests who hold the card; any notation of its number; empty list if none.",
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
      const match = await cardQueries.lookUp(scope, c.lookUpInput.parse({ number }));
      return match.map((guest) => ({
        manage_id: guest.stayGuestId,
        other_information: guest.otherInformation,
        room_id: guest.roomId,
        room_name: guest.roomName,
        name: guest.guestName,
        state: guest.expired ? ("expired" as const) : ("in" as const),
        check_in_time: f.seconds(guest.startsAt),
        check_out_time: f.seconds(guest.endsAt),
      }));
    },
  }),
  call("passenger/deleteCardByCardId", {
    summary: "Revokes a card; its state is `revoking` until every lock that it opens confirms.",
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
      "Guests with their stays, newest arrival first: stays that overlap the period from `start` to `end`. `keyword` is searched in name, phone, room and other information, or is a whole document number.",
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
      "A guest with the stay: the whole party, its cards including revoked ones, its live codes without digits, and its orders. Lists that the caller may not see are empty.",
    input: { manage_id: f.id(21) },
    output: z.strictObject(infoAnswer),
    async run({ scope }, { manage_id: stayGuestId }) {
      const party = await readParty(scope, stayGuestId);
      return {
        ...tenantOf(party.guest),
        passengers: party.guests.map(passengerOf),
        cards: party.cards.map(cardOf),
        passwords: party.passcodes.map((passcode) => passwordOf(passcode)),
        orders: party.entries.map((entry) => orderOf(scope, party, entry)),
      };
    },
  }),
];
