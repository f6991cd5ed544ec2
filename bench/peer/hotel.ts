import { addDays, type LocalDate, localDate } from "../../packages/shared/src/hotel-time.ts";
import { HOTEL } from "../../prisma/seed/hotel-plan.ts";
import { withClient } from "../measuring/world.ts";

/** The hotel that both programs have, as it is in Innkey's database. */
export interface Hotel {
  today: LocalDate;
  rooms: Room[];
  guests: Guest[];
  reservations: Reservation[];
  /** who sleeps in the house with whom: guests by their stay */
  party: { stayId: number; guestId: number }[];
}

export interface Room {
  name: string;
  floor: number;
  group: string;
}

export interface Guest {
  id: number;
  name: string;
  mobile: string;
  email: string;
  gender: string | null;
}

/** One room of one party. */
export interface Reservation {
  id: number;
  stayId: number;
  room: string;
  group: string;
  /** hotel-local dates of the arrival and the departure */
  from: LocalDate;
  to: LocalDate;
  state: "held" | "in_house" | "ended";
  guestId: number;
  guestName: string;
  people: number;
  priceMinor: number;
  checkedInAt: string | null;
  checkedOutAt: string | null;
}

const ROOMS = `SELECT r.name, r.floor, coalesce(g.name, '') AS "group"
  FROM room r LEFT JOIN room_group g ON g.id = r.group_id ORDER BY r.sort, r.id`;

const GUESTS = "SELECT id, name, mobile, email, gender FROM guest ORDER BY id";

const PARTY = 'SELECT stay_id AS "stayId", guest_id AS "guestId" FROM stay_guest ORDER BY stay_id, "primary" DESC, id';

const RESERVATIONS = `SELECT o.id, o.stay_id AS "stayId", r.name AS room, coalesce(g.name, '') AS "group", o.state,
    to_char(o.starts_at AT TIME ZONE $1, 'YYYY-MM-DD') AS "from", to_char(o.ends_at AT TIME ZONE $1, 'YYYY-MM-DD') AS "to",
    to_char(s.checked_in_at AT TIME ZONE $1, 'YYYY-MM-DD HH24:MI:SS') AS "checkedInAt",
    CASE WHEN o.state = 'ended' THEN to_char(o.ends_at AT TIME ZONE $1, 'YYYY-MM-DD HH24:MI:SS') END AS "checkedOutAt",
    p.id AS "guestId", p.name AS "guestName",
    (SELECT count(*)::int FROM stay_guest c WHERE c.stay_id = s.id) AS people,
    (SELECT coalesce(sum(l.amount_minor), 0)::int FROM folio_entry_line l WHERE l.occupancy_id = o.id) AS "priceMinor"
  FROM occupancy o
    JOIN room r ON r.id = o.room_id
    LEFT JOIN room_group g ON g.id = r.group_id
    JOIN stay s ON s.id = o.stay_id
    JOIN stay_guest sg ON sg.stay_id = s.id AND sg.primary
    JOIN guest p ON p.id = sg.guest_id
  WHERE o.kind = 'stay' AND o.state <> 'cancelled' AND s.state <> 'cancelled'
  ORDER BY r.name, o.starts_at`;

export function readHotel(url: string): Promise<Hotel> {
  return withClient(url, async (client) => ({
    today: localDate(new Date().toISOString(), HOTEL.timeZone),
    rooms: (await client.query<Room>(ROOMS)).rows,
    guests: (await client.query<Guest>(GUESTS)).rows,
    party: (await client.query<Hotel["party"][number]>(PARTY)).rows,
    reservations: (await client.query<Reservation>(RESERVATIONS, [HOTEL.timeZone])).rows,
  }));
}

/** The month that both programs show: from its first day on. */
export const firstOfMonth = (today: LocalDate): LocalDate => `${today.slice(0, 7)}-01` as LocalDate;

/** The first day of the month after. */
export const nextMonth = (today: LocalDate): LocalDate => firstOfMonth(addDays(firstOfMonth(today), 31));

/** Returns the reservations with a night in the month of `today`. */
export const reservationsOfMonth = <R extends Pick<Reservation, "from" | "to">>(
  reservations: readonly R[],
  today: LocalDate,
): R[] => reservations.filter(({ from, to }) => from < nextMonth(today) && to > firstOfMonth(today));
