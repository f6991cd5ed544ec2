import { DomainError } from "@innkey/shared/errors";
import * as s from "@innkey/shared/schemas/access/unlocks";
import { v } from "@innkey/shared/schemas/fields";
import * as messagingSchemas from "@innkey/shared/schemas/messaging";
import * as h from "@innkey/shared/schemas/stays/history";
import { ALERT_KINDS, UNLOCK_STYLES } from "@innkey/shared/words";
import type { z } from "zod";
import {
  listNumberedPage,
  MAX_NUMBERED_RECORDS,
  reasonWords,
  resultWords,
} from "../../../domain/access/unlocks/unlocks.queries.ts";
import { LocalTimes } from "../../../domain/data/exports/columns.ts";
import * as alerts from "../../../domain/messaging/alerts/alerts.service.ts";
import * as history from "../../../domain/overview/stays.queries.ts";
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
const description = `Newest first, from \`start\` (inclusive) to \`end\`. Paging and \`total\` stop at ${MAX_NUMBERED_RECORDS.toLocaleString("en")}. To read further, pass \`next_cursor\` as \`cursor\`; \`page\` is then ignored. \`from\` is the lock, a gateway or the console.`;

type Filters = z.output<z.ZodObject<typeof filters>>;
type Of = z.input<typeof s.numberedRecordsInput>["of"];

async function listed({ scope, visitor }: SignedInCaller, of: Of, input: Filters) {
  const { start: from, end: to, style, cursor } = input;
  const query = s.numberedRecordsInput.parse({ of, from, to, style, cursor, ...f.pageOf(input) });
  const { records: page, nextCursor, total } = await listNumberedPage(scope, query);
  const t = translator(visitor.language);
  const list = page.map((record) => ({
    id: Number(record.id),
    time: f.seconds(record.at),
    content: record.content || [resultWords(record, t), reasonWords(record, t)].filter(Boolean).join(": "),
    from: record.source,
    style: record.style,
    operator: record.openedByStaff ?? "",
    guest_name: record.openedByGuest ?? "",
  }));
  return { ...f.pageAnswer(list, total, input), next_cursor: nextCursor };
}

/** Calls for the events that locks reported. */
export const recordsCalls = [
  call("room/openHistory", {
    summary: `Events at a room's door. ${description}`,
    input: { room_id: f.id(101), ...filters },
    output: records,
    names,
    run: (caller, { room_id: roomId, ...input }) => listed(caller, { roomId }, input),
  }),
  call("room/openHistoryByPeople", {
    summary: `Openings with a guest's keys. ${description}`,
    input: { manage_id: f.id(21), ...filters },
    output: records,
    names,
    run: (caller, { manage_id: stayGuestId, ...input }) => listed(caller, { stayGuestId }, input),
  }),
];

/** Calls for alerts about locks and for the history of openings. */
export const lockNewsCalls = [
  call("lock/messageList", {
    summary:
      "Alerts for staff, newest first, in the caller's language. An alert whose cause is resolved counts as read; `unread` counts the others.",
    input: f.paging,
    output: f.listOf(
      {
        id: out.id(91),
        type: out.choice(ALERT_KINDS),
        title: out.text("Low battery"),
        content: out.text("The battery is low (12%). Replace it soon."),
        read: out.flag(0),
        lock_id: out.id(7).nullable(),
        create_time: out.time(),
      },
      { unread: out.int(1) },
    ),
    async run({ scope, visitor }, input) {
      const page = await alerts.list(scope, messagingSchemas.alertsInput.parse({ state: "all", ...f.pageOf(input) }));
      const t = translator(visitor.language);
      const times = new LocalTimes(scope.hotel.timeZone);
      const list = page.rows.map((row) => ({
        id: row.id,
        type: row.kind,
        title: t(`alert.kind.${row.kind}`),
        content: alerts.alertText(row, t, times),
        read: f.bit(row.readAt !== null || row.resolvedAt !== null),
        lock_id: row.lockId,
        create_time: f.seconds(row.firstAt),
      }));
      return { ...f.pageAnswer(list, page.total, input), unread: page.unread };
    },
  }),
  call("lock/deleteMessage", {
    summary: "Removes alerts from the list; if the cause persists, its next report creates a new one.",
    changes: true,
    input: { id: f.id(91).optional(), ids: f.ids(200).optional() },
    output: f.nothing,
    async run({ scope }, { id, ids }) {
      const allIds = id === undefined ? ids : [id, ...(ids ?? [])];
      if (!allIds) throw new DomainError("invalid_input", {}, { id: { key: v.required } });
      await alerts.removeExisting(scope, messagingSchemas.deleteAlertsInput.parse({ ids: allIds }));
      return {};
    },
  }),
  call("lock/checkHistory", {
    summary: `Check-ins with their check-outs, newest first; with \`start\` and \`end\`, parties that arrived or left in that period. A party that is still in the hotel has no \`check_out_time\`; \`operator\` is who checked them in. Paging and \`total\` stop at ${history.NUMBERED_STAYS.toLocaleString("en")}.`,
    input: {
      room_id: f.id(101).optional(),
      start: f.time().optional(),
      end: f.time(1_772_532_000).optional(),
      ...f.paging,
    },
    output: f.listOf({
      manage_id: out.id(21),
      room_name: out.text("101, 102"),
      name: out.text("Ann Lee"),
      check_in_time: out.time(),
      check_out_time: out.time(1_772_532_000).nullable(),
      operator: out.text("Ben Lee"),
    }),
    names: { from: "start", to: "end" },
    async run({ scope }, input) {
      const { room_id: roomId, start: from, end: to } = input;
      const query = h.numberedHistoryInput.parse({ roomId, from, to, ...f.pageOf(input) });
      const { rows, total } = await history.readNumberedPage(scope, query);
      const list = rows.map((row) => ({
        manage_id: row.stayGuestId,
        room_name: row.rooms.join(", "),
        name: row.guestName,
        check_in_time: f.seconds(row.checkedInAt),
        check_out_time: f.optionalSeconds(row.checkedOutAt),
        operator: row.checkedInBy ?? row.checkedOutBy ?? "",
      }));
      return f.pageAnswer(list, total, input);
    },
  }),
];
