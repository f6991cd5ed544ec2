import { DomainError } from "@innkey/shared/errors";
import { v } from "@innkey/shared/schemas/fields";
import * as s from "@innkey/shared/schemas/property/rooms";
import { z } from "zod";
import { findLocks } from "../../../domain/access/locks/locks.queries.ts";
import * as status from "../../../domain/desk/set-room-status.ts";
import { readGroups, readRoomPage } from "../../../domain/overview/room-list.ts";
import * as groups from "../../../domain/property/rooms/groups.service.ts";
import { reasonOf } from "../answers.ts";
import { call, type SignedInCaller } from "../endpoint.ts";
import * as f from "../fields.ts";
import { pictureUrl } from "../files.ts";
import { ROOM_STATUSES } from "../words.ts";

const { out } = f;
const MAX_ID = 2_147_483_647;

function roomAnswer(caller: SignedInCaller, room: s.RoomRow) {
  const { lock, stay } = room;
  return {
    room_id: room.id,
    name: room.name,
    remark_name: room.remarkName,
    picture: pictureUrl(caller, room.pictureUrl),
    category_id: room.groupId,
    category_name: room.groupName ?? "",
    status: room.status,
    lock_id: lock?.id ?? null,
    lock_power: lock?.power ?? null,
    lock_online: f.bit(lock?.online ?? false),
    mac_id: lock?.mac ?? "",
    bluetooth_name: lock?.bluetoothName ?? "",
    price: f.optionalMoney(caller.scope, room.usualMinor),
    guest_name: stay?.guestName ?? "",
    manage_id: stay?.stayGuestId ?? null,
    check_in_time: f.optionalSeconds(stay?.startsAt ?? null),
    check_out_time: f.optionalSeconds(stay?.endsAt ?? null),
    expired: f.bit(room.expired),
  };
}

/** Returns a complete list as a single page. */
const whole = <T>(rows: T[]) => f.pageAnswer(rows, rows.length, { page: 1, page_size: rows.length });

/** Calls for the rooms on the board, and their groups. */
export const roomsCalls = [
  call("room/listNew", {
    summary:
      "The rooms with their current status; the guest is the one who is in the room or arrives today. `keyword` is searched in names of rooms and guests; `counts` ignores the filter by status. Sorted by name (`az`, `za`), by the rooms' own order (`order`, `reverse`), or as on the board: by category first.",
    input: {
      status: f.choice(ROOM_STATUSES).optional(),
      keyword: f.text(60, "101").optional(),
      category_id: f.id(3).optional(),
      sort: f.choice(["default", "az", "za", "order", "reverse"]).optional(),
      ...f.paging,
    },
    output: f.listOf(
      {
        room_id: out.id(),
        name: out.text("101"),
        remark_name: out.text("By the lift"),
        picture: out.text("https://hotel.example/manage/files/1/3f0c7a52-…?expires=1772532000&signature=…"),
        category_id: out.id(3).nullable(),
        category_name: out.text("Sea side"),
        status: out.choice(ROOM_STATUSES, "checked_in"),
        lock_id: out.id(5).nullable(),
        lock_power: out.int(87).nullable(),
        lock_online: out.flag(1),
        mac_id: out.text("A4:C1:38:00:1F:2B"),
        bluetooth_name: out.text("LOCK_101"),
        price: out.money().nullable(),
        guest_name: out.text("Ann Lee"),
        manage_id: out.id(21).nullable(),
        check_in_time: out.time().nullable(),
        check_out_time: out.time(1_772_532_000).nullable(),
        expired: out.flag(0),
      },
      {
        counts: z.strictObject({
          vacant: out.int(80),
          reserved: out.int(5),
          checked_in: out.int(30),
          dirty: out.int(4),
          maintenance: out.int(1),
        }),
      },
    ),
    names: { groupId: "category_id" },
    async run(caller, input) {
      const { status: word, keyword, category_id: groupId, sort } = input;
      const query = s.roomPageInput.parse({ status: word, keyword, groupId, sort, ...f.pageOf(input) });
      const { rows, total, counts } = await readRoomPage(
        caller.scope,
        caller.services.board,
        caller.boardVersion,
        query,
      );
      const answers = rows.map((room) => roomAnswer(caller, room));
      return { ...f.pageAnswer(answers, total, input), counts };
    },
  }),
  call("room/setRoomStatus", {
    summary:
      "Sets one or several rooms vacant (cleaned, back in service), dirty or under maintenance. Each room succeeds or fails separately: `in_use` while it is occupied, `room_taken` if maintenance would overlap a booking.",
    changes: true,
    input: {
      room_id: f.id().optional(),
      room_ids: f.ids().optional(),
      status: f.choice(["vacant", "dirty", "maintenance"]),
    },
    output: z.strictObject({
      updated: out.int(2),
      failed: z.array(z.strictObject({ room_id: out.id(18), reason: out.text("in_use") })),
    }),
    async run({ scope }, { room_id: one, room_ids: several = [], status: word }) {
      const roomIds = [...new Set([...(one === undefined ? [] : [one]), ...several])];
      if (roomIds.length === 0) throw new DomainError("invalid_input", {}, { roomId: { key: v.required } });
      const done = await status.setStatus(scope, s.setStatusInput.parse({ roomIds, status: word }));
      const failed = done.failed.map(({ roomId, code }) => ({ room_id: roomId, reason: reasonOf(code) }));
      return { updated: done.updated.length, failed };
    },
  }),
  call("room/allLock", {
    summary:
      "All locks by room, including those without a room; `keyword` is searched in room, address and Bluetooth name.",
    input: { keyword: f.text(60, "101").optional() },
    output: f.listOf({
      lock_id: out.id(5),
      room_id: out.id().nullable(),
      room_name: out.text("101"),
      mac_id: out.text("A4:C1:38:00:1F:2B"),
      bluetooth_name: out.text("LOCK_101"),
      power: out.int(87).nullable(),
      online: out.flag(1),
    }),
    async run({ scope }, input) {
      const { keyword } = s.roomPageInput.parse({ keyword: input.keyword });
      const matches = await findLocks(scope, keyword);
      return whole(
        matches.map((lock) => ({
          lock_id: lock.id,
          room_id: lock.roomId,
          room_name: lock.roomName ?? "",
          mac_id: lock.mac,
          bluetooth_name: lock.bluetoothName,
          power: lock.power,
          online: f.bit(lock.online),
        })),
      );
    },
  }),
  call("room/category/list", {
    summary: "The categories of rooms, in their order.",
    input: {},
    output: f.listOf({ id: out.id(3), name: out.text("Sea side"), sort: out.int(1), room_count: out.int(12) }),
    async run({ scope, services, boardVersion }) {
      const list = await readGroups(scope, services.board, boardVersion);
      return whole(list.map(({ roomCount, ...group }) => ({ ...group, room_count: roomCount })));
    },
  }),
  call("room/addCategory", {
    summary: "Creates a category; with `id`, changes its name and order.",
    changes: true,
    input: { id: f.id(3).optional(), name: f.name(60, "Sea side"), sort: f.int(0, 99_999, 1) },
    output: z.strictObject({ id: out.id(3) }),
    errors: ["name_taken"],
    run: ({ scope }, input) => groups.save(scope, s.groupInput.parse(input)),
  }),
  call("room/change/category", {
    summary: "Moves rooms into a category; 0 removes them from theirs.",
    changes: true,
    input: { room_ids: f.ids(), category_id: f.int(0, MAX_ID, 3) },
    output: f.nothing,
    names: { groupId: "category_id" },
    async run({ scope }, { room_ids: roomIds, category_id: groupId }) {
      await groups.assignGroup(scope, s.assignGroupInput.parse({ roomIds, groupId: groupId === 0 ? null : groupId }));
      return {};
    },
  }),
];
