import * as s from "@innkey/shared/schemas/property/rooms";
import { quoteInput } from "@innkey/shared/schemas/stays/stays";
import { LOCK_DRIVERS } from "@innkey/shared/words";
import { z } from "zod";
import { quote as quoteStay } from "../../../domain/desk/quotes.ts";
import { patchRoomWithUpload } from "../../../domain/desk/save-room.ts";
import * as prices from "../../../domain/property/prices/prices.service.ts";
import * as queries from "../../../domain/property/rooms/rooms.queries.ts";
import { call } from "../endpoint.ts";
import * as f from "../fields.ts";
import { pictureUrl } from "../files.ts";
import { LINE_KINDS, ROOM_STATUSES, STAY_UNITS } from "../words.ts";
import { priceAnswer, priceFields, pricesAnswer, pricesOf } from "./prices.ts";

const { out } = f;

const lockAnswer = {
  lock_id: out.id(5),
  mac_id: out.text("A4:C1:38:00:1F:2B"),
  bluetooth_name: out.text("LOCK_101"),
  power: out.int(87).nullable(),
  online: out.flag(1),
  last_seen: out.time().nullable(),
  firmware: out.text("2.4.1"),
  driver: out.choice(LOCK_DRIVERS),
};

function lockOf({ lock }: s.RoomDetail) {
  return (
    lock && {
      lock_id: lock.id,
      mac_id: lock.mac,
      bluetooth_name: lock.bluetoothName,
      power: lock.power,
      online: f.bit(lock.online),
      last_seen: f.optionalSeconds(lock.lastSeenAt),
      firmware: lock.firmware,
      driver: lock.driver,
    }
  );
}

const UPLOAD = /^uploads\//;
const FILE_ID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/;

/** Converts the picture: "" removes it, an upload key (oss/token) is stored, a URL from an earlier answer keeps its file. */
function pictureOf(picture: string | undefined) {
  if (picture === undefined) return {};
  if (picture === "") return { pictureFileId: null };
  return UPLOAD.test(picture)
    ? { pictureUploadKey: picture }
    : { pictureFileId: FILE_ID.exec(picture)?.[0] ?? picture };
}

/** Calls for one room: its data, its lock and its prices. */
export const roomSettingsCalls = [
  call("room/lockInfo", {
    summary: "A room with its prices, its lock, and the number of keys that open it; universal cards are not counted.",
    input: { room_id: f.id() },
    output: z.strictObject({
      room: z.strictObject({
        name: out.text("101"),
        remark_name: out.text("By the lift"),
        description: out.text("Two beds, balcony"),
        bulletin: out.text("Welcome"),
        notice: out.text("Quiet from 22:00"),
        picture: out.text("https://hotel.example/manage/files/1/3f0c7a52-…?expires=1772532000&signature=…"),
        category: out.text("Sea side"),
        category_id: out.id(3).nullable(),
        status: out.choice(ROOM_STATUSES),
        prices: z.strictObject(priceAnswer).nullable(),
      }),
      lock: z.strictObject(lockAnswer).nullable(),
      counts: z.strictObject({ cards: out.int(2), passwords: out.int(1), faces: out.int(0) }),
    }),
    async run(caller, { room_id: roomId }) {
      const { scope } = caller;
      const room = await queries.detail(scope, roomId);
      const keys = await queries.roomKeys(scope, roomId);
      return {
        room: {
          name: room.name,
          remark_name: room.remarkName,
          description: room.description,
          bulletin: room.bulletin,
          notice: room.notice,
          picture: pictureUrl(caller, room.pictureUrl),
          category: room.groupName ?? "",
          category_id: room.groupId,
          status: room.status,
          prices: room.prices && pricesAnswer(scope, room.prices),
        },
        lock: lockOf(room),
        counts: { cards: keys.cards, passwords: keys.passcodes, faces: keys.faces },
      };
    },
  }),
  call("room/setLockData", {
    summary:
      "Changes data of a room and of its lock; omitted fields are unchanged. `picture` is a key of oss/token, an address from an earlier answer, or empty for none.",
    changes: true,
    input: {
      room_id: f.id(),
      name: f.name(60, "101").optional(),
      remark_name: f.text(60, "By the lift").optional(),
      description: f.text(1000, "Two beds, balcony").optional(),
      bulletin: f.text(200, "Welcome").optional(),
      notice: f.text(500, "Quiet from 22:00").optional(),
      picture: f.text(1000, "uploads/1/17/3f0c7a52-6d3b-4a53-9d3a-0a6f2f6d6d2b").optional(),
      bluetooth_name: f.text(60, "LOCK_101").optional(),
      mac_id: f.name(40, "A4:C1:38:00:1F:2B").optional(),
    },
    output: f.nothing,
    names: { pictureFileId: "picture", pictureUploadKey: "picture", "lock.mac": "mac_id" },
    errors: ["name_taken", "lock_missing", "file_not_image", "file_too_large"],
    async run({ services, scope }, { room_id: roomId, picture, ...input }) {
      const change = {
        roomId,
        ...pictureOf(picture),
        name: input.name,
        remarkName: input.remark_name,
        description: input.description,
        bulletin: input.bulletin,
        notice: input.notice,
        bluetoothName: input.bluetooth_name,
        mac: input.mac_id,
      };
      await patchRoomWithUpload(scope, services, s.patchRoomWithUploadInput.parse(change));
      return {};
    },
  }),
  call("room/setPrice", {
    summary: "Sets the same prices for rooms; the whole set is replaced, including prices of single dates.",
    changes: true,
    input: { room_ids: f.ids(), ...priceFields },
    output: f.nothing,
    async run({ scope }, { room_ids: roomIds, ...input }) {
      await prices.setPrices(scope, s.setPricesInput.parse({ roomIds, prices: pricesOf(scope, input) }));
      return {};
    },
  }),
  call("room/countRoomPriceNew", {
    summary: "The price of a stay, line by line; the lines add up to the total.",
    input: {
      room_id: f.id(),
      check_in_time: f.time(),
      check_out_time: f.time(1_772_532_000),
      unit: f.choice(STAY_UNITS, "day").default("day"),
    },
    output: z.strictObject({
      total: out.money(),
      deposit: out.money("50.00"),
      lines: z.array(z.strictObject({ date: out.date(), price: out.money(), kind: out.choice(LINE_KINDS) })),
    }),
    errors: ["price_missing"],
    async run({ scope }, { room_id: roomId, check_in_time: startsAt, check_out_time: endsAt, unit }) {
      const quote = await quoteStay(scope, quoteInput.parse({ roomId, unit, startsAt, endsAt }));
      const lines = quote.lines.map(({ date, amountMinor, kind }) => ({
        date,
        price: f.moneyOf(scope, amountMinor),
        kind,
      }));
      return { total: f.moneyOf(scope, quote.totalMinor), deposit: f.moneyOf(scope, quote.depositMinor), lines };
    },
  }),
];
