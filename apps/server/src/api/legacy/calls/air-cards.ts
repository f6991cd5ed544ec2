import * as s from "@innkey/shared/schemas/access/cards";
import { CARD_KINDS } from "@innkey/shared/words";
import { z } from "zod";
import { addForGuest } from "../../../domain/access/cards/air-cards.service.ts";
import * as drafts from "../../../domain/access/cards/air-drafts.service.ts";
import { call } from "../endpoint.ts";
import * as f from "../fields.ts";

const { out } = f;
const number = f.name(40, "DA3CBC66");
const note = f.text(100, "Bracelet");
const names = { note: "cardNote", stayId: "manage_id" };
const placed = z.strictObject({ card_id: out.id(61), state: out.choice(["pending", "active"]) });

/**
 * Calls for cards, bracelets and phones that open doors by their number: nothing is written on them, the number is
 * sent to the locks.
 */
export const airCardsCalls = [
  call("room/cardAdd", {
    summary:
      "The first step for a card that opens by its number: it is registered, and opens nothing before addCardStepTwoNew.",
    changes: true,
    input: {
      card_num: number,
      kind: f.choice(CARD_KINDS),
      cardNote: note.optional(),
      start: f.time().optional(),
      end: f.time(1_772_532_000).optional(),
    },
    output: placed,
    names,
    errors: ["card_in_use"],
    async run({ scope }, { card_num: uid, kind, cardNote, start: validFrom, end: validTo }) {
      const input = s.registerCardInput.parse({ uid, kind, note: cardNote, validFrom, validTo });
      const { cardId } = await drafts.register(scope, input);
      return { card_id: cardId, state: "pending" as const };
    },
  }),
  call("room/addCardStepTwoNew", {
    summary:
      "The second step: the rooms (all of the house for a universal card) and the time, which may be the one that was registered. Its locks are told at once; the state is pending until they said that they have it.",
    changes: true,
    input: {
      card_id: f.id(61),
      room_ids: f.ids().optional(),
      start: f.time().optional(),
      end: f.time(1_772_532_000).optional(),
      permanent: f.flag(0).default(false),
    },
    output: placed,
    names,
    errors: ["state_conflict", "card_in_use", "lock_missing"],
    async run({ scope }, { card_id: cardId, room_ids: roomIds, start: validFrom, end: validTo, permanent }) {
      const grant = s.grantCardInput.parse({ cardId, roomIds, validFrom, validTo, permanent });
      const { commandIds } = await drafts.grantCard(scope, grant);
      return { card_id: cardId, state: commandIds.length > 0 ? ("pending" as const) : ("active" as const) };
    },
  }),
  call("room/sendCard", {
    summary:
      "Lets a card in by its number where a guest stays, for as long as they do. Each lock is told by a command.",
    changes: true,
    input: { manage_id: f.id(21), card_num: number, cardNote: note.optional() },
    output: z.strictObject({
      card_id: out.id(61),
      command_ids: z
        .array(z.uuid())
        .register(f.fieldNotes, { type: "array of texts", example: ["0b6c1c1e-5d0c-4a43-8b7e-0f9d7a1c2b3d"] }),
    }),
    names,
    errors: ["state_conflict", "stay_expired", "card_in_use", "lock_missing"],
    async run({ scope }, { manage_id: stayGuestId, card_num: uid, cardNote }) {
      const { cardId, commandIds } = await addForGuest(scope, { stayGuestId, uid, note: cardNote });
      return { card_id: cardId, command_ids: commandIds };
    },
  }),
];
