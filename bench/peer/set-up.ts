import assert from "node:assert/strict";
import type { LocalDate } from "../../packages/shared/src/hotel-time.ts";
import { GROUPS } from "../../prisma/seed/hotel-plan.ts";
import type { Client } from "./client.ts";
import type { Room } from "./hotel.ts";

export const DATABASE = "hotel";

/** Months from January on for which prices exist and rooms can be reserved */
const MONTHS = 24;
const BEDS = 2;
const RATES = Object.values(GROUPS);

type Form = Record<string, string | number>;

/** The fields that every page of HotelDruid takes */
export type Session = { anno: number; id_sessione: string };

const ADMIN = { name: "owner", password: "for measuring only" };

/** HotelDruid keeps the reservations of each year apart. */
export const yearOf = (today: LocalDate): number => Number(today.slice(0, 4));

/** Returns the name of the rate with the price of a group. */
export const rateOf = (group: string): string =>
  `tariffa${
    Math.max(
      0,
      RATES.findIndex(({ name }) => name === group),
    ) + 1
  }`;

/** Sends a form of HotelDruid and checks that the page that answers contains `expected`. Returns the page. */
export async function sendForm(client: Client, page: string, form: Form, expected: string | RegExp): Promise<string> {
  const fields = Object.entries(form).map(([name, value]): [string, string] => [name, String(value)]);
  const { status, body } = await client.post(page, new URLSearchParams(fields).toString());
  const isExpected = typeof expected === "string" ? body.includes(expected) : expected.test(body);
  assert.ok(
    status === 200 && isExpected,
    `HotelDruid answered ${status} to ${page}, without ${expected}:\n${textOf(body)}`,
  );
  return body;
}

const textOf = (html: string): string =>
  html
    .replace(/<[^>]*>/g, " ")
    .replace(/\s+/g, " ")
    .slice(-500);

/**
 * Goes through the pages with which a new HotelDruid is set up: database, rooms, year, rates, the register of arrivals
 * and the login. Returns a session of its administrator.
 */
export async function setUpHotelDruid(client: Client, rooms: readonly Room[], year: number): Promise<Session> {
  const amounts = { numappartamenti: rooms.length, numletti: 0 };
  const database: Form = {
    ...{ lingua: "en", tipo_db: "sqlite", database_phprdb: DATABASE, database_esistente: "NO", host_phprdb: "" },
    ...{ port_phprdb: "", user_phprdb: "", password_phprdb: "", tempdatabase: "", prefisso_tab: "" },
    ...{ nomeappartamenti: "camere", ...amounts, creabase: 1 },
  };
  await sendForm(client, "/creadb.php", database, `numapp${rooms.length}`);
  const roomFields = rooms.map(({ name, floor }, index): Form => {
    const n = index + 1;
    return { [`numapp${n}`]: name, [`maxoccupanti${n}`]: BEDS, [`piano${n}`]: floor, [`priorita${n}`]: "" };
  });
  await sendForm(
    client,
    "/creadb.php",
    Object.assign({ lingua: "en", ...amounts, insappartamenti: 1 }, ...roomFields) as Form,
    "All the permanent data has been inserted",
  );
  const session: Session = { anno: year, id_sessione: "" };
  const period: Form = {
    tipo_periodi: "g",
    giorno_ini_fine: "",
    mese_ini: 1,
    mese_fine: MONTHS,
    importa_anno_prec: "NO",
  };
  await sendForm(client, "/creaanno.php", { ...session, creaanno: "SI", ...period }, `Year ${year} created`);
  for (const { name, prices } of RATES) {
    const rate = rateOf(name);
    const rename: Form = { ...session, cambia_nome_tariffa: 1, tipotariffa: rate, nometariffa: name };
    await sendForm(client, "/creaprezzi.php", rename, "has been changed");
    const price: Form = {
      ...{ ...session, numcaselle: 1, tipotariffa: rate, modifica: 1 },
      ...{ inizioperiodo1: `${year}-01-01`, fineperiodo1: `${year + MONTHS / 12}-01-01` },
      ...{ prezzoperiodo1: prices.usualMinor / 100, prezzoperiodo1p: "" },
    };
    await sendForm(client, "/creaprezzi.php", price, "has been inserted");
  }
  const arrivals: Form = { ...session, id_utente_mod: 1, aggiorna_qualcosa: "SI", attiva_checkin: "Enable" };
  await sendForm(client, "/personalizza.php", arrivals, "Registration of check-in and check-out enabled");
  return { anno: year, id_sessione: await logInToHotelDruid(client, session) };
}

/** Turns the login on, without which HotelDruid knows no sessions, and logs in. Returns the session's id. */
async function logInToHotelDruid(client: Client, session: Session): Promise<string> {
  const user: Form = { nome1: ADMIN.name, tipo_pass1: "5", prima_pass1: ADMIN.password, seconda_pass1: ADMIN.password };
  const users: Form = { ...session, modifica_utenti: "SI", num_utenti_tab: 1, continua: "SI", id_utente_tab0: 1 };
  await sendForm(client, "/gestione_utenti.php", { ...users, ...user }, "gestione_utenti.php");
  const login: Form = { anno: session.anno, nome_utente_phpr: ADMIN.name, password_phpr: ADMIN.password };
  const id = /name="id_sessione" value="(\w+)"/;
  const page = await sendForm(client, "/inizio.php", login, id);
  return id.exec(page)?.[1] ?? "";
}
