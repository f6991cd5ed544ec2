import { buffer } from "node:stream/consumers";
import { type HourFormat, timeTag } from "@innkey/shared/hour-format";
import { languageOf } from "@innkey/shared/languages";
import type { RosterRoom, RosterSheet, RosterStay } from "@innkey/shared/schemas/rosters";
import { rosterSheet } from "@innkey/shared/schemas/rosters";
import { damaged } from "../../../adapters/backup/backup-format.ts";
import { type Entry, readSealed, sealEntries } from "../../../adapters/backup/sealed-tar.ts";
import { escapeHtml } from "../../../kernel/escape-html.ts";
import { type Translate, translator } from "../../../kernel/translate.ts";

const DATA_NAME = "roster.json";
export const PAGE_NAME = "roster.html";

const STYLE = `body{font:14px/1.4 system-ui,sans-serif;margin:2rem;color:#000}h1{font-size:1.4rem;margin:0}
table{border-collapse:collapse;width:100%;margin-top:1rem}tr{break-inside:avoid}
th,td{text-align:start;padding:.3rem .6rem .3rem 0;border-bottom:1px solid #999;vertical-align:top}@media print{body{margin:0}}`;

/** Returns the sheet as one sealed file: as data, and as a page for any browser. Each recipient's secret key opens it. */
export function sealRoster(sheet: RosterSheet, recipients: readonly string[]): Promise<Buffer> {
  async function* entries(): AsyncGenerator<Entry> {
    yield { name: PAGE_NAME, bytes: Buffer.from(renderPage(sheet)) };
    yield { name: DATA_NAME, bytes: Buffer.from(`${JSON.stringify(sheet, null, 2)}\n`) };
  }
  return buffer(sealEntries(recipients, entries()));
}

/** A sealed file's content. */
export interface OpenedRoster {
  sheet: RosterSheet;
  /** HTML */
  page: string;
}

/** @throws UnreadableBackup for a file that is damaged, not a roster or sealed for another key */
export async function openRoster(path: string, identity: string): Promise<OpenedRoster> {
  const files = new Map<string, Buffer>();
  for await (const { name, bytes } of readSealed(path, identity)) files.set(name, bytes);
  const sheet = rosterSheet.safeParse(parseJson(files.get(DATA_NAME)));
  const page = files.get(PAGE_NAME);
  if (!sheet.success || !page) throw damaged();
  return { sheet: sheet.data, page: page.toString("utf8") };
}

function parseJson(bytes: Buffer | undefined): unknown {
  try {
    return JSON.parse(bytes?.toString("utf8") ?? "null");
  } catch {
    return null;
  }
}

interface PrintedRoster {
  title: string;
  madeAt: string;
  columns: string[];
  rows: string[][];
}

/** Returns the sheet's lines in the hotel's language: one for each stay, and one for each room without any. */
export function printRoster({ hotelName, timeZone, language, hourFormat, madeAt, rooms }: RosterSheet): PrintedRoster {
  const { code, tag } = languageOf(language);
  const t = translator(code);
  const time = new Intl.DateTimeFormat(timeTag(tag, hourFormat as HourFormat), {
    dateStyle: "short",
    timeStyle: "short",
    timeZone,
  });
  const at = (instant: string): string => time.format(new Date(instant));
  return {
    title: `${hotelName} · ${t("nav.roster")}`,
    madeAt: t("roster.asOf", { at: at(madeAt) }),
    columns: [
      t("board.room"),
      t("roster.state"),
      t("nav.guests"),
      t("guest.arrival"),
      t("guest.departure"),
      t("roster.keys"),
    ],
    rows: rooms.flatMap((room) => linesOf(room, t, at)),
  };
}

function linesOf({ name, condition, maintenance, stays }: RosterRoom, t: Translate, at: Instant): string[][] {
  if (stays.length === 0) return [[name, t(roomState(condition, maintenance)), "", "", "", ""]];
  return stays.map((stay) => [
    name,
    t(`status.${stay.state}`),
    stay.guests.join(", "),
    at(stay.startsAt),
    at(stay.endsAt),
    keysOf(stay, t, at),
  ]);
}

type Instant = (instant: string) => string;

const roomState = (condition: RosterRoom["condition"], maintenance: boolean): string =>
  maintenance ? "status.maintenance" : condition === "dirty" ? "status.dirty" : "status.vacant";

function keysOf({ cards, codes, faces }: RosterStay, t: Translate, at: Instant): string {
  const until = (validTo: string | null): string =>
    validTo ? t("roster.until", { at: at(validTo) }) : t("roster.noEnd");
  return [
    ...(cards ?? []).map(({ number, validTo }) =>
      number === "" ? `${t("roster.idCard")}, ${until(validTo)}` : `${t("roster.card", { number })}, ${until(validTo)}`,
    ),
    ...(codes ?? []).map(({ validTo }) => `${t("roster.code")}, ${until(validTo)}`),
    ...(faces ? [t("roster.faces", { number: faces })] : []),
  ].join("; ");
}

function renderPage(sheet: RosterSheet): string {
  const { title, madeAt, columns, rows } = printRoster(sheet);
  const { tag, dir } = languageOf(sheet.language);
  const head = columns.map((column) => `<th scope="col">${escapeHtml(column)}</th>`).join("");
  const body = rows.map((row) => `<tr>${row.map((cell) => `<td dir="auto">${escapeHtml(cell)}</td>`).join("")}</tr>`);
  return `<!doctype html><html lang="${tag}" dir="${dir}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><title>${escapeHtml(title)}</title><style>${STYLE}</style></head><body>
<h1>${escapeHtml(title)}</h1><p>${escapeHtml(madeAt)}</p>
<table><thead><tr>${head}</tr></thead><tbody>${body.join("\n")}</tbody></table></body></html>
`;
}
