import { type InstantIso, localDate } from "../../packages/shared/src/hotel-time.ts";
import { GROUP_NAMES, HOTEL, type RoomPlan } from "./hotel-plan.ts";
import type { Random } from "./random.ts";
import type { HotelPlan, OccupancyPlan, StayPlan } from "./stay-plan.ts";

const CHANGES = 6;
const CUT_TIME_MS = 20 * 3_600_000;

/** Moves some past guests to another free room half-way through their stay. Changes the plan in place. */
export function planRoomChanges(random: Random, hotel: HotelPlan, rooms: readonly RoomPlan[]): void {
  const movable = hotel.stays.filter(
    (stay) => stay.state === "checked_out" && nightsOf(stay) >= 3 && stay.unit === "day" && !stay.renewedAt,
  );
  for (const stay of random.shuffled(movable).slice(0, CHANGES)) move(random, hotel, stay, rooms);
}

function move(random: Random, hotel: HotelPlan, stay: StayPlan, rooms: readonly RoomPlan[]): void {
  const [first] = stay.occupancies;
  if (!first || !stay.checkedInAt) return;
  const cut = new Date(Date.parse(stay.checkedInAt) + CUT_TIME_MS).toISOString();
  const rest = { startsAt: cut, endsAt: stay.endsAt };
  const rank = (index: number): number => GROUP_NAMES.indexOf(rooms[index]?.group ?? "single");
  const room = random
    .shuffled([...rooms.keys()])
    .filter((other) => other !== first.room && Math.abs(rank(other) - rank(first.room)) <= 1)
    .find((other) => isFree(hotel, other, rest));
  if (room === undefined) return;
  stay.occupancies = [
    { ...first, endsAt: cut },
    { room, state: "ended", startsAt: cut, endsAt: first.endsAt },
  ];
}

function isFree(hotel: HotelPlan, room: number, period: { startsAt: InstantIso; endsAt: InstantIso }): boolean {
  const meets = (other: Pick<OccupancyPlan, "room" | "startsAt"> & { endsAt: InstantIso | null }): boolean =>
    other.room === room && other.startsAt < period.endsAt && (other.endsAt === null || other.endsAt > period.startsAt);
  return !hotel.maintenance.some(meets) && !hotel.stays.some((stay) => stay.occupancies.some(meets));
}

function nightsOf({ startsAt, endsAt }: StayPlan): number {
  const [from, to] = [startsAt, endsAt].map((at) => Date.parse(localDate(at, HOTEL.timeZone)));
  return ((to ?? 0) - (from ?? 0)) / 86_400_000;
}
