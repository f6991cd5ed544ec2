import { plain } from "./imports/cells.ts";
import { MAX_ROOMS_PER_CALL } from "./limits.ts";

/** A room that a series names. */
export interface SeriesRoom {
  name: string;
  floor: number;
}

/** What is wrong with a text of room numbers: the key of a message, and what it names. */
export interface SeriesProblem {
  key: "roomRange" | "roomTwice" | "tooManyRooms" | "tooLong";
  params: Record<string, string | number>;
}

export interface RoomSeries {
  rooms: SeriesRoom[];
  /** null: every part of the text was read */
  problem: SeriesProblem | null;
}

const MAX_NAME = 60;
const MAX_FLOOR = 200;
const SEPARATORS = /[,;\n\r\u3001\u060c\u061b\uff0c\uff1b]+/;
/** "101-120", "A101 – A120", "A101~120": from a number to a number, with the same letters before both. */
const RANGE = /^(\D*?)(\d{1,6})\s*[-\u2010-\u2015\u2212~\u301c]\s*(\D*?)(\d{1,6})$/u;

/** Returns the floor that a number usually means: 101 is on floor 1, 1204 on floor 12, and 7 says nothing. */
function floorOf(name: string): number {
  const digits = /\d{3,}/.exec(name)?.[0];
  const floor = digits ? Math.floor(Number(digits) / 100) : 0;
  return floor <= MAX_FLOOR ? floor : 0;
}

/** Returns the names of a part, a range or one name; null for a range that can't be meant. */
function namesOf(part: string): string[] | null {
  const range = RANGE.exec(part);
  if (!range) return [part];
  const [, prefix = "", first = "", repeated = "", last = ""] = range;
  const from = Number(first);
  const count = Number(last) - from + 1;
  if (count < 1 || (repeated.trim() !== "" && repeated.trim() !== prefix.trim())) return null;
  // One more than allowed is enough to refuse it.
  return Array.from(
    { length: Math.min(count, MAX_ROOMS_PER_CALL + 1) },
    (_, at) => prefix + String(from + at).padStart(first.length, "0"),
  );
}

/** Reads room numbers such as "101–120, 201–220, Garden suite", up to the first part that can't be read. */
export function readRoomSeries(text: string): RoomSeries {
  const rooms: SeriesRoom[] = [];
  const used = new Set<string>();
  const failed = (key: SeriesProblem["key"], params: SeriesProblem["params"]): RoomSeries => ({
    rooms,
    problem: { key, params },
  });
  const parts = text.split(SEPARATORS).map(plain);
  for (const part of parts.filter((one) => one !== "")) {
    const names = namesOf(part);
    if (!names) return failed("roomRange", { part });
    for (const name of names) {
      if (name.length > MAX_NAME) return failed("tooLong", { max: MAX_NAME });
      if (used.has(name)) return failed("roomTwice", { name });
      if (rooms.length === MAX_ROOMS_PER_CALL) return failed("tooManyRooms", { max: MAX_ROOMS_PER_CALL });
      used.add(name);
      rooms.push({ name, floor: floorOf(name) });
    }
  }
  return { rooms, problem: null };
}
