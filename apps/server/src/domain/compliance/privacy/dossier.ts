import { buffer } from "node:stream/consumers";
import { DomainError } from "@innkey/shared/errors";
import { timeTag } from "@innkey/shared/hour-format";
import { languageOf } from "@innkey/shared/languages";
import { moneyText } from "@innkey/shared/money";
import { ZipFile } from "yazl";
import { escapeHtml } from "../../../kernel/escape-html.ts";
import type { Scope } from "../../../kernel/scope.ts";
import { type Translate, translator } from "../../../kernel/translate.ts";
import { isHolderSql, isPartysSql, openStayCodes } from "../../access/public.ts";
import type { FileStore } from "../../files/public.ts";
import { bodyContext } from "../../messaging/public.ts";
import {
  GUEST_PICTURE_TYPES,
  type PictureOfGuest,
  readDetailsOf,
  readDocumentNumber,
  readPicturesOf,
  type SentDetails,
} from "../../stays/public.ts";

/** All data stored about one person, as handed to them; times in ISO 8601, money in minor units. */
interface Dossier {
  hotel: string;
  madeAt: string;
  currency: string;
  person: {
    name: string;
    gender: string | null;
    nationality: string | null;
    birthDate: string | null;
    documentType: string | null;
    documentNumber: string;
    mobile: string;
    email: string;
    noMessages: boolean;
    writtenDownAt: string;
    documentsErasedAt: string | null;
    erasedAt: string | null;
  };
  stays: {
    stayId: number;
    state: string;
    startsAt: string;
    endsAt: string;
    checkedInAt: string | null;
    checkedOutAt: string | null;
    breakfast: boolean;
    otherInformation: string;
    noShowReason: string;
    guests: number;
    rooms: { name: string; from: string; to: string | null }[];
    breakfasts: string[];
  }[];
  customers: {
    name: string;
    mobile: string;
    email: string;
    company: string;
    address: string;
    taxNumber: string;
    note: string;
    since: string;
  }[];
  entries: {
    entryId: number;
    stayId: number;
    type: string;
    amountMinor: number;
    channel: string | null;
    note: string;
    at: string;
  }[];
  cards: { number: string; stayId: number; note: string; state: string; validFrom: string; validTo: string | null }[];
  codes: {
    type: string;
    person: string;
    note: string;
    validFrom: string;
    validTo: string | null;
    deletedAt: string | null;
  }[];
  faces: {
    faceId: number;
    note: string;
    consentAt: string;
    rooms: string[];
    picture: string | null;
  }[];
  /** what they sent on their page before they arrived; `picture`: the file in the archive */
  beforeArrival: SentDetails[];
  guestPictures: { stayId: number; kind: string; sentAt: string; picture: string | null }[];
  /** `text`: null once it was deleted; door codes, links and the Wi-Fi password in it are masked */
  messages: {
    event: string;
    state: string;
    channel: string | null;
    recipient: string;
    at: string;
    subject: string;
    text: string | null;
  }[];
  doors: { at: string; room: string | null; style: string; opened: boolean; reason: string }[];
}

/** `theirs`: their part in each of their stays. The rest of `$2`'s statements reads it. */
export const THEIRS = `WITH theirs AS (SELECT id, stay_id, "primary", guest_id FROM stay_guest WHERE hotel_id = $1 AND guest_id = $2::int)`;

/** SQL: the bill of `stayId` is theirs, because the stay has their name. */
export const isTheirBill = (stayId: string): string => `${stayId} IN (SELECT stay_id FROM theirs WHERE "primary")`;

/** SQL: they carry card `c`; what nobody in particular carries belongs to the guest whose name the stay has. */
export const IS_THEIR_CARD = `EXISTS (SELECT FROM theirs t WHERE t.stay_id = c.stay_id
  AND (c.stay_guest_id = t.id OR t."primary" AND c.stay_guest_id IS NULL))`;

/** SQL: they have code `p`; the whole party's belongs to the guest whose name the stay has. */
export const IS_THEIR_CODE = `EXISTS (SELECT FROM theirs t JOIN guest holder ON holder.id = t.guest_id WHERE t.stay_id = p.stay_id
  AND (${isHolderSql("p", "t", "holder")} OR t."primary" AND ${isPartysSql("p")}))`;

const STAYS = `SELECT s.id AS "stayId", s.state::text AS state, iso(s.starts_at) AS "startsAt", iso(s.ends_at) AS "endsAt",
    iso(s.checked_in_at) AS "checkedInAt", iso(s.checked_out_at) AS "checkedOutAt", s.breakfast,
    s.other_information AS "otherInformation", s.no_show_reason AS "noShowReason",
    (SELECT count(*) FROM stay_guest o WHERE o.stay_id = s.id)::int AS guests,
    (SELECT coalesce(json_agg(json_build_object('name', r.name, 'from', iso(o.starts_at), 'to', iso(o.ends_at)) ORDER BY o.id), '[]')
      FROM occupancy o JOIN room r ON r.id = o.room_id WHERE o.stay_id = s.id) AS rooms,
    (SELECT coalesce(json_agg(to_char(b.date, 'YYYY-MM-DD') ORDER BY b.date), '[]')
      FROM breakfast b WHERE b.stay_guest_id = t.id) AS breakfasts
  FROM theirs t JOIN stay s ON s.id = t.stay_id WHERE s.hotel_id = $1 ORDER BY s.starts_at DESC, s.id DESC`;

/** SQL: whether customer `c` is the guest with this name, phone and e-mail: the same name, and the same phone or e-mail. */
export const isCustomer = (name: string, mobile: string, email: string): string =>
  `(c.deleted_at IS NULL AND c.kind = 'person' AND lower(c.name) = lower(${name})
    AND ((c.mobile <> '' AND c.mobile = ${mobile}) OR (c.email <> '' AND c.email = ${email})))`;

const CUSTOMERS = `SELECT c.name, c.mobile, c.email, c.company, c.address, c.tax_number AS "taxNumber", c.note, iso(c.created_at) AS since
  FROM customer c JOIN guest g ON g.hotel_id = $1 AND g.id = $2::int
  WHERE c.hotel_id = $1 AND ${isCustomer("g.name", "g.mobile", "g.email")} ORDER BY c.id`;

const ENTRIES = `SELECT o.id AS "entryId", o.stay_id AS "stayId", o.type::text AS type, o.amount_minor::float8 AS "amountMinor",
    o.channel::text AS channel, o.note, iso(o.created_at) AS at
  FROM folio_entry o WHERE o.hotel_id = $1 AND ${isTheirBill("o.stay_id")} ORDER BY o.id`;

const CARDS = `SELECT c.uid AS number, c.stay_id AS "stayId", c.note, c.state::text AS state, iso(c.valid_from) AS "validFrom",
    iso(c.valid_to) AS "validTo"
  FROM card c WHERE c.hotel_id = $1 AND ${IS_THEIR_CARD} ORDER BY c.id`;

const CODES = `SELECT p.type::text AS type, p.person, p.note, iso(p.valid_from) AS "validFrom", iso(p.valid_to) AS "validTo",
    iso(p.deleted_at) AS "deletedAt"
  FROM passcode p WHERE p.hotel_id = $1 AND ${IS_THEIR_CODE} ORDER BY p.id`;

const FACES = `SELECT f.id AS "faceId", f.note, iso(f.consent_at) AS "consentAt", f.file_id AS picture,
    ARRAY(SELECT DISTINCT r.name FROM credential c JOIN room r ON r.id = c.room_id
      WHERE c.hotel_id = $1 AND c.face_id = f.id ORDER BY r.name) AS rooms
  FROM face f WHERE f.hotel_id = $1 AND f.guest_id = $2::int ORDER BY f.id`;

const MESSAGES = `SELECT m.stay_id AS "stayId", o.id::text AS "messageId", coalesce(o.subject, '') AS subject, o.body_box AS "bodyBox", m.event::text AS event, m.state::text AS state, m.channel::text AS channel, coalesce(o.recipient, '') AS recipient,
    iso(coalesce(m.sent_at, m.created_at)) AS at
  FROM guest_message m LEFT JOIN outgoing_message o ON o.id = m.message_id
  WHERE m.hotel_id = $1 AND m.stay_guest_id IN (SELECT id FROM theirs) ORDER BY m.id`;

interface MessageRow extends Omit<Dossier["messages"][number], "text"> {
  stayId: number;
  messageId: string | null;
  bodyBox: Uint8Array | null;
}

const MASK = "••••••";
/** The secret in the address of a guest's page. */
const LINK_SECRET = /#[\w-]{22}/g;

/** Opens the texts of messages. What opens doors or the hotel's network is no data about the guest. */
async function openMessages(scope: Scope, rows: readonly MessageRow[]): Promise<Dossier["messages"]> {
  const { wifiPassword } = await scope.reads.hotel.findFirstOrThrow({ select: { wifiPassword: true } });
  const secrets = new Map<number, string[]>();
  for (const { stayId } of rows) {
    if (!secrets.has(stayId)) secrets.set(stayId, [...(await openStayCodes(scope, stayId)), wifiPassword]);
  }
  return rows.map(({ stayId, messageId, bodyBox, ...row }) => {
    const mask = (text: string): string =>
      (secrets.get(stayId) ?? [])
        .filter((secret) => secret !== "")
        .sort((a, b) => b.length - a.length)
        .reduce((rest, secret) => rest.replaceAll(secret, MASK), text)
        .replace(LINK_SECRET, `#${MASK}`);
    const context = messageId && bodyContext({ id: messageId, hotelId: scope.hotelId });
    const text = context && bodyBox ? scope.secrets.message.open(bodyBox, context) : null;
    return { ...row, subject: mask(row.subject), text: text === null ? null : mask(text) };
  });
}

const DOORS = `SELECT iso(u.at) AS at, r.name AS room, u.style::text AS style, u.success AS opened, u.reason
  FROM unlock_record u LEFT JOIN room r ON r.id = u.room_id
  WHERE u.hotel_id = $1 AND u.stay_guest_id IN (SELECT id FROM theirs) ORDER BY u.at, u.id`;

/**
 * Collects the dossier of a guest. `picture` of a face is the id of its file. The document number is masked unless the
 * caller may see it. @throws not_found
 */
async function readDossier(scope: Scope, guestId: number, sent: readonly PictureOfGuest[]): Promise<Dossier> {
  scope.require("privacy.manage");
  const guest = await scope.reads.guest.findFirst({ where: { id: guestId } });
  if (!guest) throw new DomainError("not_found");
  const rows = <T>(text: string): Promise<T[]> => scope.sql.rows<T>(`${THEIRS} ${text}`, guestId);
  return {
    hotel: scope.hotel.name,
    madeAt: scope.now().toISOString(),
    currency: scope.hotel.currency,
    person: {
      name: guest.name,
      gender: guest.gender,
      nationality: guest.nationality,
      birthDate: guest.birthDate?.toISOString().slice(0, 10) ?? null,
      documentType: guest.documentType,
      documentNumber: readDocumentNumber(scope, guest.id, guest.documentNumberBox),
      mobile: guest.mobile,
      email: guest.email,
      noMessages: guest.noMessages,
      writtenDownAt: guest.createdAt.toISOString(),
      documentsErasedAt: guest.documentsErasedAt?.toISOString() ?? null,
      erasedAt: guest.erasedAt?.toISOString() ?? null,
    },
    customers: await scope.sql.rows<Dossier["customers"][number]>(CUSTOMERS, guestId),
    stays: await rows(STAYS),
    entries: await rows(ENTRIES),
    cards: await rows(CARDS),
    codes: await rows(CODES),
    faces: await rows(FACES),
    beforeArrival: await readDetailsOf(scope, guestId),
    guestPictures: sent.map(({ stayId, kind, sentAt, content }) => ({
      ...{ stayId, kind, sentAt },
      picture: content && pictureName({ stayId, kind }),
    })),
    messages: await openMessages(scope, await rows<MessageRow>(MESSAGES)),
    doors: await rows(DOORS),
  };
}

/** Name of a guest's picture in the archive. */
const pictureName = ({ stayId, kind }: Pick<PictureOfGuest, "stayId" | "kind">): string =>
  `${kind}-${stayId}.${GUEST_PICTURE_TYPES[kind].replace("image/", "")}`;

/** Renders the dossier as one HTML page without external resources, to read or print. */
function renderDossier(scope: Scope, dossier: Dossier): string {
  return new DossierPage(scope, dossier.currency).render(dossier);
}

const STYLE = `body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#222}
h1{font-size:1.6rem}h2{font-size:1.15rem;margin-top:2rem}table{border-collapse:collapse;width:100%}
th,td{text-align:start;padding:.35rem .6rem;border-bottom:1px solid #ddd;vertical-align:top}th{font-weight:600}
td{white-space:pre-line}p{color:#555}@media print{body{margin:0}}`;

class DossierPage {
  readonly #t: Translate;
  readonly #time: Intl.DateTimeFormat;
  readonly #language: ReturnType<typeof languageOf>;
  readonly #currency: string;

  constructor(scope: Scope, currency: string) {
    this.#language = languageOf(scope.language);
    this.#t = translator(scope.language);
    this.#currency = currency;
    this.#time = new Intl.DateTimeFormat(timeTag(this.#language.tag, scope.hotel.hourFormat), {
      dateStyle: "medium",
      timeStyle: "short",
      timeZone: scope.hotel.timeZone,
    });
  }

  render(dossier: Dossier): string {
    const title = this.#t("privacy.paper.title", { hotel: dossier.hotel });
    const { tag } = this.#language;
    return `<!doctype html><html lang="${tag}" dir="${this.#language.dir}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><title>${escapeHtml(title)}</title><style>${STYLE}</style></head><body>
<h1>${escapeHtml(title)}</h1><p>${escapeHtml(this.#t("privacy.paper.madeAt", { at: this.#at(dossier.madeAt) }))}</p>
${this.#person(dossier)}${this.#customers(dossier)}${this.#stays(dossier)}${this.#beforeArrival(dossier)}${this.#messages(dossier)}${this.#keysAndDoors(dossier)}</body></html>`;
  }

  #person({ person }: Dossier): string {
    const t = this.#t;
    const fields: [string, string][] = [
      [t("guest.name"), person.name],
      [t("guest.gender"), person.gender ? t(`guest.genderOf.${person.gender}`) : ""],
      [t("guest.nationality"), person.nationality ?? ""],
      [t("guest.birthDate"), person.birthDate ?? ""],
      [t("guest.documentType"), person.documentType ? t(`guest.document.${person.documentType}`) : ""],
      [t("guest.documentNumber"), person.documentNumber],
      [t("guest.mobile"), person.mobile],
      [t("guest.email"), person.email],
    ];
    const rows = fields.map(
      ([label, value]) => `<tr><th scope="row">${escapeHtml(label)}</th><td>${escapeHtml(value)}</td></tr>`,
    );
    return `<table>${rows.join("")}</table>`;
  }

  #customers({ customers }: Dossier): string {
    const t = this.#t;
    return this.#table(
      t("nav.customers"),
      (["name", "mobile", "email", "company", "address", "taxNumber", "note", "since"] as const).map((name) =>
        t(`customer.${name}`),
      ),
      customers.map(({ since, ...who }) => [
        who.name,
        who.mobile,
        who.email,
        who.company,
        who.address,
        who.taxNumber,
        who.note,
        this.#at(since),
      ]),
    );
  }

  #stays({ stays, entries }: Dossier): string {
    const t = this.#t;
    return (
      this.#table(
        t("privacy.stays"),
        [t("guest.room"), t("guest.arrival"), t("guest.departure"), t("guest.breakfast"), t("guest.otherInformation")],
        stays.map((stay) => [
          stay.rooms.map(({ name }) => name).join(", "),
          this.#at(stay.checkedInAt ?? stay.startsAt),
          this.#at(stay.checkedOutAt ?? stay.endsAt),
          stay.breakfast ? t("guest.yes") : t("guest.no"),
          [stay.otherInformation, stay.noShowReason].filter(Boolean).join(" · "),
        ]),
      ) +
      this.#table(
        t("nav.folio"),
        [t("folio.at"), t("folio.type"), t("folio.amount"), t("folio.channel"), t("folio.note")],
        entries.map(({ at, type, amountMinor, channel, note }) => [
          this.#at(at),
          t(`folio.typeOf.${type}`),
          this.#money(amountMinor),
          channel ? t(`stay.channel.${channel}`) : "",
          note,
        ]),
      )
    );
  }

  #beforeArrival({ beforeArrival, guestPictures }: Dossier): string {
    const t = this.#t;
    const details = this.#table(
      t("preCheckIn.title"),
      [
        ...[t("folio.at"), t("guest.name"), t("guest.birthDate"), t("guest.nationality")],
        ...[t("guest.documentNumber"), t("preCheckIn.arrivalTime")],
      ],
      beforeArrival.map(({ sentAt, arrivalTime, values }) => [
        ...[this.#at(sentAt), values?.name ?? "", values?.birthDate ?? "", values?.nationality ?? ""],
        ...[values?.documentNumber ?? "", arrivalTime],
      ]),
    );
    const pictures = this.#table(
      t("preCheckIn.picturesTitle"),
      [t("folio.at"), t("face.picture")],
      guestPictures.map(({ sentAt, kind, picture }) => [this.#at(sentAt), picture ?? t(`preCheckIn.picture.${kind}`)]),
    );
    return details + pictures;
  }

  #messages({ messages }: Dossier): string {
    const t = this.#t;
    return this.#table(
      t("guestMessages.tab"),
      [
        t("folio.at"),
        t("guestMessages.subject"),
        t("guestMessages.recipient"),
        t("guestMessages.status"),
        t("guestMessages.body"),
      ],
      messages.map(({ event, state, channel, recipient, at, subject, text }) => [
        this.#at(at),
        t(`guestMessages.event.${event}`),
        [channel && t(`outbox.channel.${channel}`), recipient].filter(Boolean).join(" · "),
        t(`outbox.state.${state}`),
        [subject, text].filter(Boolean).join("\n"),
      ]),
    );
  }

  #keysAndDoors({ cards, codes, faces, doors }: Dossier): string {
    const t = this.#t;
    const period = (from: string, to: string | null): string => `${this.#at(from)} – ${to ? this.#at(to) : ""}`;
    return (
      this.#table(
        t("staff.area.cards"),
        [t("privacy.paper.number"), t("passcode.period"), t("passcode.note")],
        cards.map(({ number, validFrom, validTo, note }) => [number, period(validFrom, validTo), note]),
      ) +
      this.#table(
        t("nav.passcodes"),
        [t("passcode.person"), t("passcode.period"), t("passcode.note")],
        codes.map(({ person, validFrom, validTo, note }) => [person, period(validFrom, validTo), note]),
      ) +
      this.#table(
        t("nav.faces"),
        [t("face.note"), t("face.consentGiven"), t("passcode.rooms"), t("face.picture")],
        faces.map(({ note, consentAt, rooms, picture }) => [
          note,
          this.#at(consentAt),
          rooms.join(", "),
          picture ?? "",
        ]),
      ) +
      this.#table(
        t("nav.doorRecords"),
        [t("room.unlockAt"), t("guest.room"), t("room.unlockStyle"), t("room.unlockResult")],
        doors.map(({ at, room, style, opened }) => [
          this.#at(at),
          room ?? "",
          t(`room.style.${style}`),
          t(opened ? "room.opened" : "room.refused"),
        ]),
      )
    );
  }

  #table(title: string, columns: string[], rows: string[][]): string {
    const head = columns.map((column) => `<th scope="col">${escapeHtml(column)}</th>`).join("");
    const body = rows.map((row) => `<tr>${row.map((cell) => `<td>${escapeHtml(cell)}</td>`).join("")}</tr>`).join("");
    const table = rows.length > 0 ? `<table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table>` : "<p>–</p>";
    return `<h2>${escapeHtml(title)}</h2>${table}`;
  }

  #at(instant: string): string {
    return this.#time.format(new Date(instant));
  }

  #money(minor: number): string {
    return moneyText(minor, this.#currency, this.#language.code);
  }
}

/**
 * Builds an archive of all data about one person: `person.json` for machines, `person.html` for people, and the
 * pictures of their faces and those that they sent themselves. The audit records it. @throws not_found
 */
export async function exportPerson(scope: Scope, files: FileStore, guestId: number): Promise<Buffer> {
  scope.require("privacy.manage");
  const sent = await readPicturesOf(scope, guestId);
  const dossier = await readDossier(scope, guestId, sent);
  const pictures: { name: string; bytes: Buffer }[] = [];
  for (const face of dossier.faces) {
    const bytes = face.picture && (await files.faceBytes(scope, face.picture));
    const name = `face-${face.faceId}.webp`;
    if (bytes) pictures.push({ name, bytes });
    face.picture = bytes ? name : null;
  }
  for (const picture of sent) {
    if (picture.content) pictures.push({ name: pictureName(picture), bytes: picture.content });
  }
  await scope.write(async (tx) => {
    const documentInFull = scope.can("guests.documents") && dossier.person.documentNumber !== "";
    const after = { documentInFull, pictures: pictures.length };
    tx.audit({ action: "privacy.export", entity: "guest", entityId: guestId, after });
  });
  const archive = new ZipFile();
  const options = { mtime: scope.now() };
  archive.addBuffer(Buffer.from(renderDossier(scope, dossier)), "person.html", options);
  archive.addBuffer(Buffer.from(`${JSON.stringify(dossier, null, 2)}\n`), "person.json", options);
  for (const { name, bytes } of pictures) archive.addBuffer(bytes, name, { ...options, compress: false });
  archive.end();
  return buffer(archive.outputStream);
}
