import { DomainError } from "@innkey/shared/errors";
import { v } from "@innkey/shared/schemas/fields";
import * as s from "@innkey/shared/schemas/messaging/alerts";
import * as h from "@innkey/shared/schemas/stays/history";
import { ALERT_KINDS } from "@innkey/shared/words";
import { LocalTimes } from "../../../domain/data/exports/local-times.ts";
import * as messages from "../../../domain/messaging/alerts/alerts.service.ts";
import * as history from "../../../domain/overview/stay-history.queries.ts";
import { translator } from "../../../kernel/translate.ts";
import { call } from "../endpoint.ts";
import * as f from "../fields.ts";

const { out } = f;

/** Calls for alerts about locks and for the history of openings. */
export const lockNewsCalls = [
  call("lock/messageList", {
    summary:
      "Messages for operators, newest first, in the caller's language. One whose cause is gone counts as read; unread is how many are not.",
    input: f.paging,
    output: f.listOf(
      {
        id: out.id(91),
        type: out.choice(ALERT_KINDS),
        title: out.text("Low battery"),
        content: out.text("The battery is low (12%); replace it soon."),
        read: out.flag(0),
        lock_id: out.id(7).nullable(),
        create_time: out.time(),
      },
      { unread: out.int(1) },
    ),
    async run({ scope, visitor }, input) {
      const page = await messages.list(scope, s.alertsInput.parse({ state: "all", ...f.pageOf(input) }));
      const t = translator(visitor.language);
      const times = new LocalTimes(scope.hotel.timeZone);
      const list = page.rows.map((row) => ({
        id: row.id,
        type: row.kind,
        title: t(`alert.kind.${row.kind}`),
        content: messages.alertText(row, t, times),
        read: f.bit(row.readAt !== null || row.resolvedAt !== null),
        lock_id: row.lockId,
        create_time: f.seconds(row.firstAt),
      }));
      return { ...f.pageAnswer(list, page.total, input), unread: page.unread };
    },
  }),
  call("lock/deleteMessage", {
    summary: "Takes messages off the list; if the cause still stands, the next report of it makes a new one.",
    changes: true,
    input: { id: f.id(91).optional(), ids: f.ids(200).optional() },
    output: f.nothing,
    async run({ scope }, { id, ids }) {
      const allIds = id === undefined ? ids : [id, ...(ids ?? [])];
      if (!allIds) throw new DomainError("invalid_input", {}, { id: { key: v.required } });
      const { changed } = await messages.remove(scope, s.deleteAlertsInput.parse({ ids: allIds }));
      if (changed === 0) throw new DomainError("not_found");
      return {};
    },
  }),
  call("lock/checkHistory", {
    summary: `Check-ins with their check-outs, newest first; start and end ask for parties that came or left then. A party that is still here has no check_out_time; operator checked them in. Pages go, and total counts, to ${history.NUMBERED_STAYS.toLocaleString("en")}.`,
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
      const { rows, total } = await history.numbered(scope, query);
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
