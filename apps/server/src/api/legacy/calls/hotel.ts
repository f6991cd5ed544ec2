import { v } from "@innkey/shared/schemas/fields";
import * as s from "@innkey/shared/schemas/property/hotel";
import { breakfastInput, breakfastTick } from "@innkey/shared/schemas/stays/breakfast";
import { z } from "zod";
import { tickBreakfast } from "../../../domain/desk/public.ts";
import * as hotels from "../../../domain/desk/update-hotel.ts";
import * as queries from "../../../domain/property/hotels.service.ts";
import * as breakfast from "../../../domain/stays/breakfast/breakfast.service.ts";
import { call } from "../endpoint.ts";
import * as f from "../fields.ts";
import { pageOfAll } from "../fields.ts";

const { out } = f;

const timeOfDay = (example: string) => f.name(5, example).register(f.fieldNotes, { type: "HH:MM", example });

const breakfastHours = z
  .object({
    from: timeOfDay("07:00").optional(),
    to: timeOfDay("10:00").optional(),
    price: f.money("12.00").optional(),
  })
  .register(f.fieldNotes, { type: "{from, to, price}", example: { from: "07:00", to: "10:00", price: "12.00" } });

const weekendDays = z
  .array(f.int(1, 7, 5), v.required)
  .max(7, v.tooLong)
  .register(f.fieldNotes, { type: "array of weekdays, 1 is Monday", example: [5, 6] });

/** Calls for the hotel itself and its breakfast. */
export const hotelCalls = [
  call("room/setHotelData", {
    summary:
      "Changes the hotel's name, place, time zone, currency and weekend nights. Omitted time zone, currency and weekend nights are unchanged. The currency can't change once there are orders.",
    changes: true,
    input: {
      name: f.name(120, "Harbour Hotel"),
      address: f.text(300, "1 Quay, Hamburg"),
      tel: f.text(40, "+49301234567"),
      latitude: f.decimal(53.54).optional(),
      longitude: f.decimal(9.99).optional(),
      timezone: f.name(60, "Europe/Berlin").optional(),
      currency: f.name(3, "EUR").optional(),
      weekend_days: weekendDays.optional(),
    },
    output: f.nothing,
    errors: ["state_conflict"],
    async run({ scope, services }, { timezone: timeZone, weekend_days: weekendNights, latitude, longitude, ...rest }) {
      const location = { ...rest, latitude: latitude ?? null, longitude: longitude ?? null, timeZone, weekendNights };
      await hotels.update(scope, services, s.hotelLocationInput.parse(location));
      return {};
    },
  }),
  call("room/hotelInfo", {
    summary: "The hotel with the number of its rooms and the number of its locks.",
    input: {},
    output: z.strictObject({
      id: out.id(1),
      name: out.text("Harbour Hotel"),
      address: out.text("1 Quay, Hamburg"),
      tel: out.text("+49301234567"),
      latitude: out.number(53.54).nullable(),
      longitude: out.number(9.99).nullable(),
      timezone: out.text("Europe/Berlin"),
      currency: out.text("EUR"),
      room_count: out.int(120),
      lock_count: out.int(118),
    }),
    async run({ scope }) {
      const hotel = await queries.get(scope);
      const { id, name, address, tel, latitude, longitude, currency } = hotel;
      const counts = { room_count: hotel.roomCount, lock_count: hotel.lockCount };
      return { id, name, address, tel, latitude, longitude, timezone: hotel.timeZone, currency, ...counts };
    },
  }),
  call("room/getHotelInfo", {
    summary: "Information for guests; times are hotel-local.",
    input: {},
    output: z.strictObject({
      check_in_time: out.text("14:00"),
      check_out_time: out.text("12:00"),
      breakfast: z.strictObject({ from: out.text("07:00"), to: out.text("10:00"), price: out.money("12.00") }),
      wifi_name: out.text("Harbour Guests"),
      wifi_password: out.text("welcome"),
      notice: out.text("Quiet from 22:00, please."),
    }),
    async run({ scope }) {
      const hotel = await queries.get(scope);
      const price = f.moneyOf(scope, hotel.breakfastPriceMinor);
      return {
        check_in_time: hotel.checkInTime,
        check_out_time: hotel.checkOutTime,
        breakfast: { from: hotel.breakfastFrom, to: hotel.breakfastTo, price },
        wifi_name: hotel.wifiName,
        wifi_password: hotel.wifiPassword,
        notice: hotel.notice,
      };
    },
  }),
  call("room/setHotelInfo", {
    summary: "Changes information for guests. Omitted fields are unchanged.",
    changes: true,
    input: {
      check_in_time: timeOfDay("14:00").optional(),
      check_out_time: timeOfDay("12:00").optional(),
      breakfast: breakfastHours.optional(),
      wifi_name: f.text(64, "Harbour Guests").optional(),
      wifi_password: f.text(64, "welcome").optional(),
      notice: f.text(2000, "Quiet from 22:00, please.").optional(),
    },
    output: f.nothing,
    names: {
      breakfastFrom: "breakfast",
      breakfastTo: "breakfast",
      breakfastPriceMinor: "breakfast",
      price: "breakfast",
    },
    async run({ scope, services }, { breakfast: hours, ...input }) {
      const change = {
        checkInTime: input.check_in_time,
        checkOutTime: input.check_out_time,
        breakfastFrom: hours?.from,
        breakfastTo: hours?.to,
        breakfastPriceMinor: hours?.price === undefined ? undefined : f.minorOf(scope, hours.price, "breakfast"),
        wifiName: input.wifi_name,
        wifiPassword: input.wifi_password,
        notice: input.notice,
      };
      await hotels.update(scope, services, s.hotelGuestsInput.parse(change));
      return {};
    },
  }),
  call("room/hotelBreakFastList", {
    summary: "Breakfasts on a date (default today), by room.",
    input: { date: f.date().optional(), ...f.paging },
    output: f.listOf({
      manage_id: out.id(21),
      room_name: out.text("101"),
      guest_name: out.text("Ann Lee"),
      breakfast: out.flag(1),
      used: out.flag(0),
      used_time: out.time().nullable(),
    }),
    async run({ scope }, input) {
      const { guests } = await breakfast.list(scope, breakfastInput.parse({ date: input.date }).date);
      const { list, ...page } = pageOfAll(guests, input);
      const rows = list.map((guest) => ({
        manage_id: guest.stayGuestId,
        room_name: guest.roomName,
        guest_name: guest.name,
        breakfast: 1 as const,
        used: f.bit(guest.usedAt !== null),
        used_time: f.optionalSeconds(guest.usedAt),
      }));
      return { list: rows, ...page };
    },
  }),
  call("room/hotelBreakFast", {
    summary: "Marks a guest's breakfast as taken, or undoes it; default date: today.",
    changes: true,
    input: { manage_id: f.id(21), date: f.date().optional(), used: f.flag() },
    output: f.nothing,
    async run({ scope }, { manage_id: stayGuestId, date = breakfast.hotelToday(scope), used }) {
      await tickBreakfast(scope, breakfastTick.parse({ date, stayGuestIds: [stayGuestId], used }));
      return {};
    },
  }),
];
