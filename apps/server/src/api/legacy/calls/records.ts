import * as s from "@innkey/shared/schemas/access/unlocks";
import { UNLOCK_STYLES } from "@innkey/shared/words";
import type { z } from "zod";
import {
  NUMBERED_RECORDS,
  numbered,
  reasonWords,
  resultWords,
} from "../../../domain/access/unlocks/unlocks.queries.ts";

import { translator } from "../../../kernel/translate.ts";
import { call, type SignedInCaller } from "../endpoint.ts";
import * as f from "../fields.ts";

const { out } = f;
const filters = {
  start: f.time().optional(),
  end: f.time(1_772_532_000).optional(),
  style: f.choice(UNLOCK_STYLES).optional(),
  cursor: f.name(60, "2026-03-02T10:00:00.000Z_812").optional(),
  ...f.paging,
};
const records = f.listOf(
  {
    id: out.id(812),
    time: out.time(),
    content: out.text("Refused: Expired"),
    from: out.text("lock"),
    style: out.choice(UNLOCK_STYLES),
    operator: out.text("Ann Lee"),
    guest_name: out.text("Ben Lee"),
  },
  { next_cursor: out.text("2026-03-02T10:00:00.000Z_812").nullable() },
);
const names = { from: "start", to: "end" };
const description = `Newest first, from start (inclusive) to end. Pages go, and total counts, to ${NUMBERED_RECORDS.toLocaleString("en")}; with next_cursor as cursor, which page says nothing of, there is no end. from is the lock, a gateway or the console.`;

type Filters = z.output<z.ZodObject<typeof filters>>;
type Of = z.input<typeof s.numberedRecordsInput>["of"];

async function listed({ scope, visitor }: SignedInCaller, of: Of, input: Filters) {
  const { start: from, end: to, style, cursor } = input;
  const query = s.numberedRecordsInput.parse({ of, from, to, style, cursor, ...f.pageOf(input) });
  const { records: page, nextCursor, total } = await numbered(scope, query);
  const t = translator(visitor.language);
  const list = page.map((record) => ({
    id: Number(record.id),
    time: f.seconds(record.at),
    content: record.content || [resultWords(record, t), reasonWords(record, t)].filter(Boolean).join(": "),
    from: record.source,
    style: record.style,
    ...whoOf(record),
  }));
  return { ...f.pageAnswer(list, total, input), next_cursor: nextCursor };
}

/** Returns who opened. The holder of a card is a staff member; the holder of a code or face counts as guest. */
function whoOf({ style, operatorName, guestName, holder }: s.UnlockRecord): { operator: string; guest_name: string } {
  const isRoomCard = style === "card";
  return {
    operator: operatorName ?? (isRoomCard ? holder : null) ?? "",
    guest_name: guestName ?? (isRoomCard ? null : holder) ?? "",
  };
}

/** Calls for the events that locks reported. */
export const recordsCalls = [
  call("room/openHistory", {
    summary: `What happened at a room's door. ${description}`,
    input: { room_id: f.id(101), ...filters },
    output: records,
    names,
    run: (caller, { room_id: roomId, ...input }) => listed(caller, { roomId }, input),
  }),
  call("room/openHistoryByPeople", {
    summary: `The doors that were opened with a guest's keys. ${description}`,
    input: { manage_id: f.id(21), ...filters },
    output: records,
    names,
    run: (caller, { manage_id: stayGuestId, ...input }) => listed(caller, { stayGuestId }, input),
  }),
];
