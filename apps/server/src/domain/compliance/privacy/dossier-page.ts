import { languageOf } from "@innkey/shared/languages";
import { moneyText } from "@innkey/shared/money";
import type { Scope } from "../../../kernel/scope.ts";
import { type Translate, translator } from "../../../kernel/translate.ts";
import type { Dossier } from "./dossier.ts";

/** Renders the dossier as one HTML page without external resources, to read or print. */
export function dossierPage(scope: Scope, dossier: Dossier): string {
  const page = new Page(scope, dossier.currency);
  return page.write(dossier);
}

const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => `&#${sign.codePointAt(0)};`);

const STYLE = `body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#222}
h1{font-size:1.6rem}h2{font-size:1.15rem;margin-top:2rem}table{border-collapse:collapse;width:100%}
th,td{text-align:start;padding:.35rem .6rem;border-bottom:1px solid #ddd;vertical-align:top}th{font-weight:600}
p{color:#555}@media print{body{margin:0}}`;

class Page {
  readonly #t: Translate;
  readonly #time: Intl.DateTimeFormat;
  readonly #language: ReturnType<typeof languageOf>;
  readonly #currency: string;

  constructor(scope: Scope, currency: string) {
    this.#language = languageOf(scope.language);
    this.#t = translator(scope.language);
    this.#currency = currency;
    this.#time = new Intl.DateTimeFormat(this.#language.tag, {
      dateStyle: "medium",
      timeStyle: "short",
      timeZone: scope.hotel.timeZone,
    });
  }

  write(dossier: Dossier): string {
    const title = this.#t("privacy.paper.title", { hotel: dossier.hotel });
    const { tag } = this.#language;
    return `<!doctype html><html lang="${tag}" dir="${this.#language.dir}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><title>${escaped(title)}</title><style>${STYLE}</style></head><body>
<h1>${escaped(title)}</h1><p>${escaped(this.#t("privacy.paper.madeAt", { at: this.#at(dossier.madeAt) }))}</p>
${this.#person(dossier)}${this.#customers(dossier)}${this.#stays(dossier)}${this.#things(dossier)}</body></html>`;
  }

  #person({ person }: Dossier): string {
    const t = this.#t;
    const facts: [string, string][] = [
      [t("guest.name"), person.name],
      [t("guest.gender"), person.gender ? t(`guest.genderOf.${person.gender}`) : ""],
      [t("guest.nationality"), person.nationality ?? ""],
      [t("guest.birthDate"), person.birthDate ?? ""],
      [t("guest.documentType"), person.documentType ? t(`guest.document.${person.documentType}`) : ""],
      [t("guest.documentNumber"), person.documentNumber],
      [t("guest.mobile"), person.mobile],
      [t("guest.email"), person.email],
    ];
    const rows = facts.map(
      ([label, value]) => `<tr><th scope="row">${escaped(label)}</th><td>${escaped(value)}</td></tr>`,
    );
    return `<table>${rows.join("")}</table>`;
  }

  #customers({ customers }: Dossier): string {
    const t = this.#t;
    return this.#table(
      t("nav.customers"),
      (["name", "mobile", "email", "company", "note", "since"] as const).map((name) => t(`customer.${name}`)),
      customers.map(({ since, ...who }) => [who.name, who.mobile, who.email, who.company, who.note, this.#at(since)]),
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
          stay.otherInformation,
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

  #things({ cards, codes, faces, doors }: Dossier): string {
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
    const head = columns.map((column) => `<th scope="col">${escaped(column)}</th>`).join("");
    const body = rows.map((row) => `<tr>${row.map((cell) => `<td>${escaped(cell)}</td>`).join("")}</tr>`).join("");
    const table = rows.length > 0 ? `<table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table>` : "<p>–</p>";
    return `<h2>${escaped(title)}</h2>${table}`;
  }

  #at(instant: string): string {
    return this.#time.format(new Date(instant));
  }

  #money(minor: number): string {
    return moneyText(minor, this.#currency, this.#language.code);
  }
}
