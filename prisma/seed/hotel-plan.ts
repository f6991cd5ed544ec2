import type { LocalDate } from "../../packages/shared/src/hotel-time.ts";
import { addDays } from "../../packages/shared/src/hotel-time.ts";
import type { HotelCalendar, RoomPrices } from "../../packages/shared/src/price-rules.ts";
import type { Random } from "./random.ts";

/** The demo hotel itself: Messing is German for brass. */
export const HOTEL = {
  name: "Hotel Messing",
  address: "Gipsstraße 14, 10119 Berlin",
  tel: "+493055501400",
  latitude: 52.52673,
  longitude: 13.40085,
  timeZone: "Europe/Berlin",
  currency: "EUR",
  language: "en",
  checkInTime: "15:00",
  checkOutTime: "11:00",
  dayStartTime: "05:00",
  weekendNights: [5, 6],
  breakfastFrom: "06:30",
  breakfastTo: "10:30",
  breakfastPriceMinor: 1_900,
  wifiName: "Messing Guests",
  wifiPassword: "brass-key-1911",
  notice: "Quiet hours from 22:00 to 06:30. The courtyard door closes at 23:00; your card opens it.",
};

export const CALENDAR: HotelCalendar = HOTEL;

interface GroupPlan {
  name: string;
  sort: number;
  description: string;
  prices: Omit<RoomPrices, "dates">;
}

const price = (
  deposit: number,
  usual: number,
  weekend: number,
  more: Partial<Pick<RoomPrices, "renewalMinor" | "hourMinor" | "monthMinor" | "yearMinor">> = {},
): Omit<RoomPrices, "dates"> => ({
  depositMinor: deposit * 100,
  usualMinor: usual * 100,
  weekendMinor: weekend * 100,
  renewalMinor: null,
  hourMinor: null,
  monthMinor: null,
  yearMinor: null,
  ...more,
});

export const GROUPS = {
  single: {
    name: "Single",
    sort: 10,
    description: "One bed, 120 × 200 cm. Desk, walk-in shower, 14 m².",
    prices: price(30, 84, 96, { renewalMinor: 7_800, hourMinor: 1_900, monthMinor: 165_000 }),
  },
  double: {
    name: "Double",
    sort: 20,
    description: "Queen bed, 160 × 200 cm. Desk, rain shower, 20 m².",
    prices: price(50, 118, 139, { renewalMinor: 10_900, hourMinor: 2_600 }),
  },
  superior: {
    name: "Superior double",
    sort: 30,
    description: "King bed, 180 × 200 cm, armchair and writing desk, bath and shower, 26 m².",
    prices: price(50, 149, 175),
  },
  family: {
    name: "Family room",
    sort: 40,
    description: "King bed and two single beds behind a sliding door, baby cot on request, 34 m².",
    prices: price(80, 186, 214, { renewalMinor: 17_200 }),
  },
  suite: {
    name: "Suite",
    sort: 50,
    description: "Separate living room, freestanding bath, balcony over the courtyard, 52 m².",
    prices: price(150, 268, 312, { monthMinor: 520_000, yearMinor: 5_400_000 }),
  },
} as const satisfies Record<string, GroupPlan>;
export type GroupName = keyof typeof GROUPS;
export const GROUP_NAMES = Object.keys(GROUPS) as GroupName[];

const FLOORS = 6;
const PER_FLOOR = 10;
const VIEWS = [
  "Street side",
  "Courtyard",
  "Courtyard",
  "Garden side",
  "Garden side",
  "Street side",
  "Corner",
  "Church view",
  "Courtyard",
  "Church view",
];
const SUITES = ["Linden", "Copper Beech", "Plane Tree", "Walnut", "Hornbeam", "Elm"];

export interface RoomPlan {
  name: string;
  floor: number;
  sort: number;
  group: GroupName;
  remarkName: string;
  description: string;
  bulletin: string;
  notice: string;
  prices: RoomPrices;
}

function groupOf(position: number): GroupName {
  if (position <= 2) return "single";
  if (position <= 6) return "double";
  if (position <= 8) return "superior";
  return position === 9 ? "family" : "suite";
}

/** Plans rooms 101 to 610, floor by floor. */
export function planRooms(random: Random, today: LocalDate): RoomPlan[] {
  const dates = nightsWithSpecialPrices(today);
  return Array.from({ length: FLOORS * PER_FLOOR }, (_, index) => {
    const floor = Math.floor(index / PER_FLOOR) + 1;
    const position = (index % PER_FLOOR) + 1;
    const group = groupOf(position);
    const { prices, description } = GROUPS[group];
    // The upper floors have a view over the roofs, and cost a little more.
    const higher = floor >= 5 ? 1_000 : 0;
    const usualMinor = prices.usualMinor + higher;
    return {
      name: `${floor}${String(position).padStart(2, "0")}`,
      floor,
      sort: floor * 100 + position,
      group,
      remarkName: group === "suite" ? (SUITES[floor - 1] ?? "") : (VIEWS[position - 1] ?? ""),
      description,
      bulletin: random.chance(0.3) ? "Welcome to Hotel Messing" : "",
      notice: random.chance(0.12) ? random.pick(NOTICES) : "",
      prices: {
        ...prices,
        usualMinor,
        weekendMinor: prices.weekendMinor + higher,
        dates: Object.fromEntries(dates.map(([date, factor]) => [date, Math.round((usualMinor * factor) / 100) * 100])),
      },
    };
  });
}

const NOTICES = [
  "Connecting door to the neighbouring room; key at the desk.",
  "Feather-free bedding.",
  "Step-free shower.",
  "Window opens to the tram line; offer earplugs.",
  "Espresso machine on trial.",
];

/** Nights with special prices, this year and the years around it: holidays, and weeks when the city is full. */
function nightsWithSpecialPrices(today: LocalDate): [LocalDate, number][] {
  const year = Number(today.slice(0, 4));
  const nights: [LocalDate, number][] = [];
  for (const y of [year - 1, year, year + 1]) {
    for (const [day, factor] of HOLIDAYS) nights.push([`${y}-${day}`, factor]);
    // The marathon takes place on the last Sunday in September; its two preceding nights cost more too.
    const marathon = lastSunday(`${y}-09-30`);
    for (const before of [2, 1, 0]) nights.push([addDays(marathon, -before), 1.45]);
  }
  const from = addDays(today, -370);
  const to = addDays(today, 370);
  return nights.filter(([date]) => date >= from && date <= to);
}

const HOLIDAYS: readonly [string, number][] = [
  ["01-01", 1.3],
  ["04-30", 1.2],
  ["05-01", 1.2],
  ["10-02", 1.25],
  ["12-24", 1.25],
  ["12-25", 1.35],
  ["12-26", 1.25],
  ["12-30", 1.5],
  ["12-31", 1.8],
];

function lastSunday(date: LocalDate): LocalDate {
  return addDays(date, -new Date(`${date}T00:00:00Z`).getUTCDay());
}
