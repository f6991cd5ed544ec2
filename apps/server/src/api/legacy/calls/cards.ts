import { DomainError } from "@innkey/shared/errors";
import * as s from "@innkey/shared/schemas/access/cards";
import { v } from "@innkey/shared/schemas/fields";
import { CARD_STATES, KEY_STATUSES } from "@innkey/shared/words";
import { z } from "zod";
import * as drafts from "../../../domain/access/cards/air-cards.service.ts";
import { addForGuest } from "../../../domain/access/cards/air-cards.service.ts";
import * as queries from "../../../domain/access/cards/cards.queries.ts";
import * as cards from "../../../domain/access/cards/cards.service.ts";
import { prepareForRoom } from "../../../domain/access/cards/cards.service.ts";
import { prepareMaster } from "../../../domain/access/cards/master.service.ts";
import { LEGACY_CARD_KINDS, legacyCardKind } from "../card-kinds.ts";
import { call } from "../endpoint.ts";
import * as f from "../fields.ts";

const { out } = f;
const number = f.name(40, "DA3CBC66");
const note = f.text(100, "Second card");
const names = { note: "cardNote", roomId: "room_ids", stayId: "manage_id" };
/** Errors of preparing a card for writing. */
const preparing = ["lock_missing", "lock_reads_no_cards", "card_in_use", "stay_expired", "state_conflict"] as const;

/** Always overwrite: old clients have no answer for a confirmation and expect the write to happen. */
const overwrite = true;

/** A card of a stay that is named by its guest. */
const ofGuest = s.prepareCardInput.omit({ stayId: true, holderId: true });

/** A prepared write. `block` counts from the start of the card, as card readers do. */
const write = z.strictObject({
  id: out.id(61),
  sector: out.int(1),
  block: out.int(4),
  key_type: out.choice(["A", "B"]),
  sector_key: out.hex(6, "A0B1C2D3E4F5"),
  write_data: out.hex(16, "00112233445566778899AABBCCDDEEFF"),
  expire: out.time(1_772_532_000).nullable(),
});

const asWrite = ({ cardId, sector, dataBlock, keyType, sectorKey, data, validTo }: s.PreparedCard) => ({
  id: cardId,
  sector,
  block: dataBlock,
  key_type: keyType,
  sector_key: sectorKey,
  write_data: data,
  expire: f.optionalSeconds(validTo),
});

/**
 * Returns the only room. @throws invalid_input unless there is exactly one, because a guest's card record names a
 * single lock
 */
function onlyRoom(roomIds: readonly number[] | undefined): number {
  const [roomId, ...others] = new Set(roomIds);
  if (roomId === undefined) throw new DomainError("invalid_input", {}, { room_ids: { key: v.required } });
  if (others.length === 0) return roomId;
  throw new DomainError("invalid_input", {}, { room_ids: { key: "validation.tooLarge", params: { max: 1 } } });
}

/**
 * Calls for cards that carry a record: the server prepares it, a reader at the client's desk writes it, and the data
 * read back confirms it.
 */
export const cardsCalls = [
  call("room/cardEncryption", {
    summary:
      "Prepares the record to write on a card; it opens nothing before sendCardEncryptionSyntony. `guest`: for the stay of `manage_id`, or for one room from `start` to `end` (without `end`, as long as the party in the room stays). Other kinds: for the rooms of `room_ids`, `universal` for all rooms; without `end` until revoked. `disable_old_cards`: guest cards written for the room before stop working. `block` is the block number on the card (sector 1 begins with 4).",
    changes: true,
    input: {
      card_num: number,
      room_ids: f.ids().optional(),
      manage_id: f.id(21).optional(),
      kind: f.choice(LEGACY_CARD_KINDS).default("guest"),
      start: f.time().optional(),
      end: f.time(1_772_532_000).optional(),
      disable_old_cards: f.flag(0).default(false),
      cardNote: note.optional(),
    },
    output: write,
    names,
    errors: preparing,
    async run({ scope }, input) {
      const { card_num: uid, room_ids: roomIds, manage_id: stayGuestId, kind, cardNote } = input;
      const { start: validFrom, end: validTo, disable_old_cards: disableOldCards } = input;
      if (kind !== "guest") {
        const master = { kind, uid, overwrite, note: cardNote || uid, roomIds, validFrom, validTo };
        return asWrite(await prepareMaster(scope, s.prepareMasterInput.parse(master)));
      }
      const card = { uid, overwrite, note: cardNote, disableOldCards };
      if (stayGuestId === undefined) {
        const roomId = onlyRoom(roomIds);
        const forRoom = s.prepareRoomCardInput.parse({ ...card, roomId, validFrom, validTo });
        return asWrite(await prepareForRoom(scope, forRoom));
      }
      const part = ofGuest.parse({ ...card, validFrom, validTo });
      return asWrite(await cards.prepare(scope, { ...part, stayGuestId, holderId: null }));
    },
  }),
  call("room/sendCardEncryption", {
    summary: "Prepares the record to write on a card for the stay of a guest, as cardEncryption does.",
    changes: true,
    input: {
      manage_id: f.id(21),
      card_num: number,
      cardNote: note.optional(),
      disable_old_cards: f.flag(0).default(false),
    },
    output: write,
    names,
    errors: preparing,
    async run({ scope }, input) {
      const { card_num: uid, cardNote, disable_old_cards: disableOldCards } = input;
      const card = ofGuest.parse({ uid, overwrite, note: cardNote, disableOldCards });
      return asWrite(await cards.prepare(scope, { ...card, stayGuestId: input.manage_id, holderId: null }));
    },
  }),
  call("room/sendCardEncryptionSyntony", {
    summary: "Reports the data read back from a written card; the card becomes active only if it is the prepared data.",
    changes: true,
    input: { id: f.id(61), read_back: f.name(32, "00112233445566778899AABBCCDDEEFF") },
    output: z.strictObject({ card_id: out.id(61), state: out.choice(CARD_STATES, "active") }),
    names: { cardId: "id" },
    errors: ["read_back_mismatch", "state_conflict"],
    async run({ scope }, { id: cardId, read_back: readBack }) {
      const done = await cards.confirm(scope, s.confirmCardInput.parse({ cardId, readBack }));
      return { card_id: done.cardId, state: done.state };
    },
  }),
  call("room/cardEncryptionList", {
    summary: "The hotel's cards, newest first; with `room_id`, those for that room.",
    input: { room_id: f.id(101).optional(), state: f.choice(KEY_STATUSES, "active").optional(), ...f.paging },
    output: f.listOf({
      id: out.id(61),
      card_num: out.text("DA3CBC66"),
      kind: out.choice(LEGACY_CARD_KINDS),
      room_names: z.array(z.string()).register(f.fieldNotes, { type: "array of texts", example: ["101"] }),
      state: out.choice(KEY_STATUSES, "active"),
      start: out.time(),
      end: out.time(1_772_532_000).nullable(),
      cardNote: out.text("Second card"),
      create_time: out.time(),
      operator: out.text("Ann Lee"),
    }),
    async run({ scope }, input) {
      const { room_id: roomId, state: displayStatus } = input;
      const query = s.cardsInput.parse({ state: "all", roomId, standing: displayStatus, ...f.pageOf(input) });
      const { rows, total } = await queries.list(scope, query);
      const list = rows.map((row) => ({
        id: row.id,
        card_num: row.uid,
        kind: legacyCardKind(row.kind),
        room_names: row.roomNames,
        state: row.standing,
        start: f.seconds(row.validFrom),
        end: f.optionalSeconds(row.validTo),
        cardNote: row.note,
        create_time: f.seconds(row.createdAt),
        operator: row.operatorName ?? "",
      }));
      return f.pageAnswer(list, total, input);
    },
  }),
  call("room/deleteCardEncryption", {
    summary: "Revokes a card; its state is `revoking` until its locks confirm that they refuse it.",
    changes: true,
    input: { id: f.id(61) },
    output: f.nothing,
    names: { cardId: "id" },
    errors: ["state_conflict"],
    async run({ scope }, { id: cardId }) {
      await cards.revoke(scope, s.revokeCardInput.parse({ cardId }));
      return {};
    },
  }),
];

const airCardNote = f.text(100, "Bracelet");
const airCardNames = { note: "cardNote", stayId: "manage_id" };
const placed = z.strictObject({ card_id: out.id(61), state: out.choice(["pending", "active"]) });

/**
 * Calls for cards, bracelets and phones that open doors by their number: nothing is written on them, the number is
 * sent to the locks.
 */
export const airCardsCalls = [
  call("room/cardAdd", {
    summary: "First step for a card that opens by its number: registers it. It opens nothing before addCardStepTwoNew.",
    changes: true,
    input: {
      card_num: number,
      kind: f.choice(LEGACY_CARD_KINDS),
      cardNote: airCardNote.optional(),
      start: f.time().optional(),
      end: f.time(1_772_532_000).optional(),
    },
    output: placed,
    names: airCardNames,
    errors: ["card_in_use"],
    async run({ scope }, { card_num: uid, kind, cardNote, start: validFrom, end: validTo }) {
      const input = s.registerCardInput.parse({ uid, kind, note: cardNote, validFrom, validTo });
      const { cardId, state } = await drafts.register(scope, input);
      return { card_id: cardId, state };
    },
  }),
  call("room/addCardStepTwoNew", {
    summary:
      "Second step: the rooms (all of the hotel for a universal card) and the period; by default the registered one. The card is sent to its locks; the state is `pending` until the locks confirm.",
    changes: true,
    input: {
      card_id: f.id(61),
      room_ids: f.ids().optional(),
      start: f.time().optional(),
      end: f.time(1_772_532_000).optional(),
      permanent: f.flag(0).default(false),
    },
    output: placed,
    names: airCardNames,
    errors: ["state_conflict", "card_in_use", "lock_missing"],
    async run({ scope }, { card_id: cardId, room_ids: roomIds, start: validFrom, end: validTo, permanent }) {
      const grant = s.grantCardInput.parse({ cardId, roomIds, validFrom, validTo, permanent });
      const { status } = await drafts.grantCard(scope, grant);
      return { card_id: cardId, state: status };
    },
  }),
  call("room/sendCard", {
    summary: "Lets a card open by its number where a guest stays, during the stay. A command is sent to the lock.",
    changes: true,
    input: { manage_id: f.id(21), card_num: number, cardNote: airCardNote.optional() },
    output: z.strictObject({
      card_id: out.id(61),
      command_ids: z
        .array(z.uuid())
        .register(f.fieldNotes, { type: "array of texts", example: ["0b6c1c1e-5d0c-4a43-8b7e-0f9d7a1c2b3d"] }),
    }),
    names: airCardNames,
    errors: ["state_conflict", "stay_expired", "card_in_use", "lock_missing"],
    async run({ scope }, { manage_id: stayGuestId, card_num: uid, cardNote }) {
      const { cardId, commandIds } = await addForGuest(scope, { stayGuestId, uid, note: cardNote });
      return { card_id: cardId, command_ids: commandIds };
    },
  }),
];
