import assert from "node:assert/strict";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { addDays, type LocalDate } from "../../packages/shared/src/hotel-time.ts";
import { type Answer, type Client, openClient } from "./client.ts";
import { type Hotel, type Reservation, type Room, reservationsOfMonth } from "./hotel.ts";
import type { PeerPackage } from "./packages.ts";
import { type PhpServer, servePhp } from "./php-server.ts";
import { GUESTS_ON_A_PAGE, type MeasuredProgram, type MonthPage, NIGHTS, type Read } from "./program.ts";
import { DATABASE, rateOf, type Session, sendForm, setUpHotelDruid, yearOf } from "./set-up.ts";
import { escapeHtml, hotelStatements, reservationsFor, runStatements, splitName } from "./tables.ts";

/** HotelDruid shows at most this many letters of a surname that doesn't fit into the nights of its reservation. */
const SHORT_NAME = 2;

/** Starts HotelDruid with the hotel in it. `actRoom` is the room that is kept for acts. */
export async function openHotelDruid(
  { folder: source }: PeerPackage,
  folder: string,
  hotel: Hotel,
  actRoom: Room,
): Promise<MeasuredProgram> {
  await mkdir(folder, { recursive: true });
  const server = await servePhp(source, folder);
  try {
    const client = openClient(server.url, { "content-type": "application/x-www-form-urlencoded" });
    const year = yearOf(hotel.today);
    const session = await setUpHotelDruid(client, hotel.rooms, year);
    const reservations = reservationsFor(hotel, year);
    const database = join(server.dataDir, `db_${DATABASE}`);
    await runStatements(database, hotelStatements(hotel, reservations, year));
    return new HotelDruid(server, client, session, database, hotel, reservations, actRoom);
  } catch (error) {
    await server.stop();
    throw error;
  }
}

class HotelDruid implements MeasuredProgram {
  readonly #server: PhpServer;
  readonly #client: Client;
  readonly #session: Session;
  readonly #database: string;
  readonly #hotel: Hotel;
  readonly #reservations: readonly Reservation[];
  readonly #actRoom: Room;
  readonly #year: number;

  constructor(
    server: PhpServer,
    client: Client,
    session: Session,
    database: string,
    hotel: Hotel,
    reservations: readonly Reservation[],
    actRoom: Room,
  ) {
    this.#server = server;
    this.#client = client;
    this.#session = session;
    this.#database = database;
    this.#hotel = hotel;
    this.#reservations = reservations;
    this.#actRoom = actRoom;
    this.#year = yearOf(hotel.today);
  }

  get reservations(): number {
    return this.#reservations.length;
  }

  read(name: Read): Promise<Answer> {
    return this.#client.get(this.#pathOf(name));
  }

  monthPage(): MonthPage {
    const url = new URL(this.#pathOf("month"), this.#server.url).href;
    return { url, cookie: null, reservation: `a[href*="id_prenota="]` };
  }

  #pathOf(name: Read): string {
    const session = `anno=${this.#year}&id_sessione=${this.#session.id_sessione}`;
    const month = Number(this.#hotel.today.slice(5, 7));
    const paths: Record<Read, string> = {
      month: `/tabella.php?${session}&mese=${month}`,
      today: `/inizio.php?${session}`,
      guests: `/visualizza_tabelle.php?${session}&tipo_tabella=clienti`,
    };
    return paths[name];
  }

  check(name: Read, { status, body }: Answer): void {
    assert.equal(status, 200, `HotelDruid answers ${name}`);
    if (name === "month") this.#checkMonth(body);
    else if (name === "today") this.#checkToday(body);
    else this.#checkGuests(body);
  }

  #checkMonth(page: string): void {
    const shown = new Map(
      [...page.matchAll(/id_prenota=(\d+)&amp;[^>]*>([^<]*)</g)].map(([, id, name = ""]) => [Number(id), name]),
    );
    const expected = reservationsOfMonth(this.#reservations, this.#hotel.today);
    for (const { id, guestName } of expected) {
      const { surname } = splitName(guestName);
      const isNamed = shown.get(id)?.startsWith([...surname].slice(0, SHORT_NAME).join(""));
      assert.ok(isNamed, `HotelDruid's month shows reservation ${id} of ${surname}, not of ${shown.get(id)}`);
    }
    for (const { name } of this.#hotel.rooms) assert.ok(page.includes(`>${name}<`), `HotelDruid's month has ${name}`);
  }

  /** The first page lists who should have come or left by now. */
  #checkToday(page: string): void {
    assert.ok(page.includes("logout=SI"), "HotelDruid is logged in");
    const { today } = this.#hotel;
    const awaited = this.#reservations.filter(({ from, to, state }) =>
      state === "held" ? from <= today : state === "in_house" && to <= today,
    );
    const rows = [...page.matchAll(/id_prenota=(\d+)&amp;[^>]*>\d+<\/a><\/td>\s*<td>([^<]*)</g)];
    const shown = new Map(rows.map(([, id, surname = ""]) => [Number(id), surname]));
    for (const { id, guestName } of awaited) {
      assert.equal(shown.get(id), escapeHtml(splitName(guestName).surname), `HotelDruid awaits reservation ${id}`);
    }
    assert.equal(shown.size, awaited.length, "HotelDruid awaits nobody else");
  }

  #checkGuests(page: string): void {
    const surnames = new Set(this.#hotel.guests.map(({ name }) => escapeHtml(splitName(name).surname)));
    const rows = [...page.matchAll(/<td class="t1left">([^<]*)<\/td>/g)].map(([, surname = ""]) => surname);
    const shown = rows.filter((surname) => surnames.has(surname));
    const expected = Math.min(GUESTS_ON_A_PAGE, this.#hotel.guests.length);
    assert.equal(shown.length, expected, "HotelDruid lists the guests");
  }

  /** The two pages of "Insert a new reservation": the room and the nights, then the guest. */
  async reserve(guest: string): Promise<number> {
    const { surname, first } = splitName(guest);
    const from: LocalDate = this.#hotel.today;
    const money = { tipo_sconto1: "sconto", sconto1: "", tipo_val_sconto1: "", caparra1: "", tipo_val_caparra1: "val" };
    const details = {
      ...{ ...this.#session, origine: "prenota.php", cognome: surname, nome: first, ...money },
      ...{ giorno_stima_checkin1: "", ora_stima_checkin1: "", min_stima_checkin1: "", num_commenti1: 1 },
      ...{ commissioni1: "", tipo_val_commissioni1: "val", commento1_1: "", numcostiagg: 0, num_tipologie: 1 },
    };
    const room = {
      ...{ inizioperiodo1: from, fineperiodo1: addDays(from, NIGHTS), nometipotariffa1: rateOf(this.#actRoom.group) },
      ...{ numpersone1: 1, appartamento1: this.#actRoom.name, lista_app1: "", num_piano1: "", num_casa1: "" },
      ...{ num_persone_casa1: "", num_app_richiesti1: 1, mos_tut_dat: "", nuovaprenotazione: "SI" },
    };
    const guestPage = await sendForm(this.#client, "/clienti.php", { ...details, ...room }, "inserire_dati_cliente");
    const transaction = [...guestPage.matchAll(/name="id_transazione" value="(\w+)"/g)].at(-1)?.[1] ?? "";
    const person = {
      ...{ soprannome: "", cliente_ospite: "SI", prenota_cli_osp: "p1_1", annonascita: "19", telefono: "13800000009" },
      ...{ num_app_ric_passa_1: 1, num_osp_passa_1_1: 1, inserire: 1, inserire_dati_cliente: 1, conferma_prenota1: "" },
      ...{ id_utente_ins: 1, mos_tut_dat: "SI", id_transazione: transaction },
    };
    const inserted = /Reservation (?:<[^>]*>)*(\d+)(?:<[^>]*>)* inserted/;
    const page = await sendForm(this.#client, "/prenota.php", { ...details, ...person }, inserted);
    return Number(inserted.exec(page)?.[1]);
  }

  /** The button "Check-in" of the first page */
  async checkIn(reservation: number): Promise<void> {
    const form = { ...this.#session, origine: "inizio.php", id_prenota: reservation, ins_checkin: "Check-in" };
    await sendForm(this.#client, "/modifica_prenota.php", form, "canc_checkin");
  }

  async clear(reservation: number): Promise<void> {
    const table = `prenota${this.#year}`;
    const of = `(SELECT idclienti FROM ${table} WHERE idprenota = ?)`;
    const [row] = await runStatements(this.#database, [
      [`SELECT checkin, idappartamenti AS room FROM ${table} WHERE idprenota = ?`, [reservation]],
    ]);
    const hasArrived = row?.checkin && row.room === this.#actRoom.name;
    assert.ok(hasArrived, `HotelDruid keeps that reservation ${reservation} has arrived in its room`);
    await runStatements(this.#database, [
      [`DELETE FROM clienti WHERE idclienti = ${of}`, [reservation]],
      [`DELETE FROM rclientiprenota${this.#year} WHERE idprenota = ?`, [reservation]],
      [`DELETE FROM ${table} WHERE idprenota = ?`, [reservation]],
    ]);
  }

  async pids(): Promise<number[]> {
    return [this.#server.pid];
  }

  async stop(): Promise<void> {
    this.#client.close();
    await this.#server.stop();
  }
}
