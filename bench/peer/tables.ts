import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Hotel, Reservation } from "./hotel.ts";

export type Value = string | number | null;
export type Statement = [text: string, values: readonly Value[]];

const SCRIPT = fileURLToPath(new URL("run-statements.php", import.meta.url));
const DAY_MS = 86_400_000;

/** Runs statements on a SQLite database in one transaction, and returns the rows of the last one. */
export async function runStatements(file: string, statements: readonly Statement[]): Promise<Record<string, Value>[]> {
  const child = spawn("php", [SCRIPT, file], { stdio: ["pipe", "pipe", "inherit"] });
  child.stdin.end(JSON.stringify(statements));
  let printed = "";
  for await (const chunk of child.stdout) printed += chunk;
  return JSON.parse(printed) as Record<string, Value>[];
}

/** Returns the number that HotelDruid gives to the night that begins on `date`: the first of January has number 1. */
const nightOf = (date: string, year: number): number =>
  Math.round((Date.parse(`${date}T00:00:00Z`) - Date.parse(`${year}-01-01T00:00:00Z`)) / DAY_MS) + 1;

/**
 * Returns the reservations that HotelDruid can have: those that begin in this year or the next, for whole nights and
 * one after the other in each room.
 */
export function reservationsFor(hotel: Hotel, year: number): Reservation[] {
  const takenUntil = new Map<string, string>();
  return hotel.reservations.filter(({ room, from, to }) => {
    const isPossible = from >= `${year}-01-01` && to <= `${year + 2}-01-01` && from < to;
    if (!isPossible || from < (takenUntil.get(room) ?? "")) return false;
    takenUntil.set(room, to);
    return true;
  });
}

/** Splits a name into what HotelDruid asks for: the last word is the surname. */
export function splitName(name: string): { surname: string; first: string } {
  const words = name.trim().split(/\s+/);
  return { surname: words.at(-1) ?? "", first: words.slice(0, -1).join(" ") };
}

/** Writes a text as HotelDruid stores it and shows it. */
export const escapeHtml = (text: string): string =>
  text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#039;");

/** Makes the rows of the guests and reservations, in the form in which HotelDruid's own pages write them. */
export function hotelStatements(hotel: Hotel, reservations: readonly Reservation[], year: number): Statement[] {
  const insertedAt = new Date().toISOString().slice(0, 19).replace("T", " ");
  const origin = { datainserimento: insertedAt, hostinserimento: "127.0.0.1", utente_inserimento: 1 };
  const guests = hotel.guests.map(({ id, name, mobile, email, gender }) => {
    const { surname, first } = splitName(name);
    return insertInto("clienti", {
      ...{ idclienti: id, cognome: escapeHtml(surname), nome: escapeHtml(first) || null },
      ...{ sesso: gender === null ? null : gender.slice(0, 1), telefono: mobile || null, email: email || null },
      ...{ max_num_ordine: 1, idclienti_compagni: ",", ...origin },
    });
  });
  const bookings = reservations.map((reservation) => {
    const { id, guestId, room, group, from, to, people, priceMinor, checkedInAt, checkedOutAt, state } = reservation;
    const [first, end] = [nightOf(from, year), nightOf(to, year)];
    const price = priceMinor / 100;
    const nightly = Math.round(priceMinor / (end - first)) / 100;
    return insertInto(`prenota${year}`, {
      ...{ idprenota: id, idclienti: guestId, idappartamenti: room, iddatainizio: first, iddatafine: end - 1 },
      ...{ assegnazioneapp: "k", app_assegnabili: room, num_persone: people, idprenota_compagna: "" },
      ...{
        tariffa: `${group}#@&${price}`,
        tariffesettimanali: Array(end - first)
          .fill(nightly)
          .join(","),
      },
      ...{ tariffa_tot: price, codice: codeOf(id), conferma: "N" },
      ...{ checkin: state === "held" ? null : checkedInAt, checkout: checkedOutAt, ...origin },
    });
  });
  const guestsOf = groupParty(hotel);
  const parties = reservations.flatMap(({ id, stayId }) =>
    (guestsOf.get(stayId) ?? []).map((guestId, index) =>
      insertInto(`rclientiprenota${year}`, {
        ...{ idprenota: id, idclienti: guestId, num_ordine: index + 1, parentela: "", ...origin },
      }),
    ),
  );
  const nextId = Math.max(0, ...reservations.map(({ id }) => id)) + 1;
  // HotelDruid keeps the number of the next reservation in the first row of the extra costs.
  const counter: Statement = [`UPDATE costiprenota${year} SET numlimite = ? WHERE idcostiprenota = 1`, [nextId]];
  return [...guests, ...bookings, ...parties, counter];
}

function groupParty({ party }: Hotel): Map<number, number[]> {
  const guestsOf = new Map<number, number[]>();
  for (const { stayId, guestId } of party) guestsOf.set(stayId, [...(guestsOf.get(stayId) ?? []), guestId]);
  return guestsOf;
}

/** Returns four letters, as HotelDruid gives them to every reservation. */
const codeOf = (id: number): string =>
  [17_576, 676, 26, 1].map((place) => String.fromCharCode(97 + (Math.floor(id / place) % 26))).join("");

function insertInto(table: string, row: Record<string, Value>): Statement {
  const columns = Object.keys(row);
  const places = columns.map(() => "?");
  return [`INSERT INTO ${table} (${columns.join(", ")}) VALUES (${places.join(", ")})`, Object.values(row)];
}
