import { buffer } from "node:stream/consumers";
import { setImmediate as nextTurn } from "node:timers/promises";
import { DomainError } from "@innkey/shared/errors";
import { type HourFormat, timeTag } from "@innkey/shared/hour-format";
import { guestLanguage, type LanguageCode, languageOf } from "@innkey/shared/languages";
import { moneyText } from "@innkey/shared/money";
import { groupLines } from "@innkey/shared/price-rules";
import { HotelTurns } from "../../../kernel/hotel-turns.ts";
import type { Scope } from "../../../kernel/scope.ts";
import { type Translate, translator } from "../../../kernel/translate.ts";
import { type FileStore, type Png, toPng } from "../../files/public.ts";
import { issueReceipt } from "./issue-receipt.ts";
import { type Receipt, type ReceiptCharge, readReceipt } from "./receipt.queries.ts";
import { type Box, FAINT_INK, ReceiptPage } from "./receipt-page.ts";

interface IssueDetails {
  /** The running number; null for a receipt that nobody issued yet. */
  number: number | null;
  /** The hotel's logo. */
  logo: Png | null;
  language: LanguageCode;
  timeZone: string;
  hourFormat: HourFormat;
  currency: string;
  now: Date;
}

/** Points. */
const LOGO_HEIGHT = 44;

interface Column {
  box: Box;
  align?: "start" | "figure";
}

/** Isolates text so that it keeps its own direction (U+2068 first strong isolate). */
const isolated = (text: string): string => `\u2068${text}\u2069`;

/** Drawing pauses after this time to let other requests run, because a receipt can have thousands of lines. */
const MAX_UNINTERRUPTED_MS = 10;

/** Draws one receipt as a PDF in one language. */
export function drawReceipt(receipt: Receipt, issue: IssueDetails): Promise<Buffer> {
  return new Drawing(receipt, issue).draw();
}

class Drawing {
  readonly #receipt: Receipt;
  readonly #issue: IssueDetails;
  readonly #page: ReceiptPage;
  readonly #t: Translate;
  readonly #tag: string;
  readonly #formats = new Map<string, Intl.DateTimeFormat>();
  #pausedAt = performance.now();

  constructor(receipt: Receipt, issue: IssueDetails) {
    this.#receipt = receipt;
    this.#issue = issue;
    this.#t = translator(issue.language);
    this.#tag = timeTag(languageOf(issue.language).tag, issue.hourFormat);
    const title = `${this.#t("receipt.title")} ${this.#number}`;
    this.#page = new ReceiptPage(issue.language, { title, author: this.#issuer, createdAt: issue.now });
  }

  get #number(): string {
    return this.#issue.number === null ? this.#receipt.reference : String(this.#issue.number);
  }

  get #issuer(): string {
    return this.#receipt.hotel.legalName || this.#receipt.hotel.name;
  }

  async draw(): Promise<Buffer> {
    this.#head();
    this.#stayDetails();
    await this.#charges();
    await this.#moves();
    this.#totals();
    const [name, receiptNumber] = [isolated(this.#issuer), isolated(this.#number)];
    return this.#page.finish(
      (page, pages) => `${name} · ${receiptNumber} · ${this.#t("receipt.page", { page, pages })}`,
      () => this.#pause(),
    );
  }

  async #pause(): Promise<void> {
    if (performance.now() - this.#pausedAt < MAX_UNINTERRUPTED_MS) return;
    await nextTurn();
    this.#pausedAt = performance.now();
  }

  #head(): void {
    const { hotel, reference } = this.#receipt;
    const page = this.#page;
    const half = page.width / 2;
    const [left, right] = [
      { from: 0, to: half - 8 },
      { from: half + 8, to: page.width },
    ];
    const top = page.y;
    if (this.#issue.logo) page.y += page.image(this.#issue.logo, left, LOGO_HEIGHT) + 8;
    page.y += page.text(hotel.name, left, { size: 15, weight: "bold" });
    const legalName = hotel.legalName === hotel.name ? "" : hotel.legalName;
    for (const line of [legalName, hotel.address, hotel.tel, this.#taxNumber(hotel.taxNumber)])
      if (line) page.y += page.text(line, left, { size: 9, color: FAINT_INK });
    const below = page.y;
    page.y = top;
    page.y += page.text(this.#t("receipt.title"), right, {
      size: 15,
      weight: "bold",
      align: "end",
      direction: page.direction,
    });
    const { number } = this.#issue;
    if (number !== null) {
      const text = this.#t("receipt.number", { number });
      page.y += page.text(text, right, { size: 10, weight: "bold", align: "end", direction: page.direction });
    }
    page.y += page.text(reference, right, { size: 9, color: FAINT_INK, align: "end", direction: "ltr" });
    const now = this.#instant(this.#issue.now.toISOString(), { dateStyle: "long" });
    page.y += page.text(now, right, { size: 9, color: FAINT_INK, align: "end", direction: page.direction });
    page.y = Math.max(below, page.y) + 12;
    page.rule(1);
    page.y += 12;
  }

  #taxNumber(taxNumber: string): string {
    return taxNumber && this.#t("receipt.taxNumber", { number: isolated(taxNumber) });
  }

  /** Name, company, address and tax number of the customer, one under the other. */
  #billedTo({ name, company, address, taxNumber }: NonNullable<Receipt["customer"]>): string {
    const lines = [name, company === name ? "" : company, address, this.#taxNumber(taxNumber)];
    return lines.filter((line) => line !== "").join("\n");
  }

  #stayDetails(): void {
    const { guests, customer, rooms, stay } = this.#receipt;
    const long = { dateStyle: "long", timeStyle: "short" } as const;
    const details: [label: string, value: string, hasOwnDirection: boolean][] = [
      [this.#t("receipt.guest"), guests.map(({ name }) => name || "–").join("\n"), true],
      ...(customer
        ? [[this.#t("stay.customer"), this.#billedTo(customer), true] satisfies [string, string, boolean]]
        : []),
      [this.#t("stay.room"), rooms.join(", "), true],
      [this.#t("stay.arrival"), this.#instant(stay.startsAt, long), false],
      [this.#t("stay.departure"), this.#instant(stay.endsAt, long), false],
    ];
    if (stay.cancelledAt)
      details.push([
        this.#t(stay.state === "no_show" ? "guest.state.no_show" : "receipt.cancelled"),
        this.#instant(stay.cancelledAt, long),
        false,
      ]);
    const page = this.#page;
    for (const [label, value, hasOwnDirection] of details) {
      page.ensureSpace(16);
      const height = page.text(label, { from: 0, to: 120 }, { size: 9, color: FAINT_INK, direction: page.direction });
      const direction = hasOwnDirection ? undefined : page.direction;
      page.y += Math.max(height, page.text(value, { from: 128, to: page.width }, { direction })) + 2;
    }
  }

  async #charges(): Promise<void> {
    const columns = this.#columns("figure");
    const titles = ["receipt.date", "receipt.charges", "receipt.unitPrice", "receipt.amount"].map((key) =>
      this.#t(key),
    );
    this.#titles(titles, columns);
    for (const charge of this.#receipt.charges) {
      if (charge.lines.length === 0) await this.#row(this.#chargeCells(charge), columns);
      for (const group of groupLines(charge.lines)) {
        await this.#row(
          [
            this.#dates(group.from, group.to),
            this.#t(`stay.line.${group.kind}`, { count: group.count }),
            group.kind === "agreed" ? "" : this.#money(group.unitMinor),
            this.#money(group.amountMinor),
          ],
          columns,
        );
      }
    }
    this.#sum(this.#t("stay.total"), this.#receipt.chargedMinor);
  }

  /** Date, what was charged, what one costs, and the amount of a charge that isn't made of nights. */
  #chargeCells({ type, createdAt, amountMinor, text, quantity, unitMinor, serviceDate }: ReceiptCharge): string[] {
    const takesBack = type === "refund" || type === "cancellation";
    const label = takesBack ? this.#t("receipt.struckOff") : this.#t(`folio.typeOf.${type}`);
    const named = text === "" ? label : takesBack ? `${label}: ${isolated(text)}` : isolated(text);
    const when = serviceDate
      ? this.#dates(serviceDate, serviceDate)
      : this.#instant(createdAt, { dateStyle: "medium" });
    const isMany = quantity !== null && quantity > 1;
    return [
      when,
      isMany ? `${quantity} × ${named}` : named,
      isMany && unitMinor !== null ? this.#money(unitMinor) : "",
      this.#money(amountMinor),
    ];
  }

  async #moves(): Promise<void> {
    const { moves } = this.#receipt;
    if (moves.length === 0) return;
    const columns = this.#columns("start");
    const titles = [this.#t("receipt.date"), this.#t("receipt.moves"), "", this.#t("receipt.amount")];
    this.#titles(titles, columns);
    for (const { createdAt, deposit, channel, amountMinor } of moves) {
      const what = deposit
        ? amountMinor > 0
          ? "receipt.depositTaken"
          : "receipt.depositReturned"
        : amountMinor > 0
          ? "folio.typeOf.payment"
          : "folio.typeOf.refund";
      const when = this.#instant(createdAt, { dateStyle: "medium" });
      await this.#row([when, this.#t(what), this.#t(`stay.channel.${channel}`), this.#money(amountMinor)], columns);
    }
  }

  /** Draws the totals: charged, paid, owed, and deposits. */
  #totals(): void {
    const { chargedMinor, paidMinor, fromDepositMinor, owedMinor, depositHeldMinor } = this.#receipt;
    this.#page.ensureSpace(90);
    this.#page.y += 14;
    this.#sum(this.#t("stay.charged"), chargedMinor, false);
    this.#sum(this.#t("stay.paid"), paidMinor, false);
    if (fromDepositMinor > 0) this.#sum(this.#t("receipt.fromDeposit"), fromDepositMinor, false);
    if (owedMinor < 0) this.#sum(this.#t("stay.inFavour"), 0 - owedMinor);
    else this.#sum(this.#t("stay.owed"), owedMinor);
    if (depositHeldMinor !== 0) this.#sum(this.#t("stay.depositHeld"), depositHeldMinor, false);
  }

  #columns(third: "start" | "figure"): Column[] {
    const { width } = this.#page;
    return [
      { box: { from: 0, to: 150 } },
      { box: { from: 156, to: width - 190 } },
      { box: { from: width - 184, to: width - 100 }, align: third },
      { box: { from: width - 94, to: width }, align: "figure" },
    ];
  }

  #titles(titles: readonly string[], columns: readonly Column[]): void {
    const page = this.#page;
    page.ensureSpace(60);
    page.y += 14;
    const heights = columns.map(({ box, align }, index) =>
      page.text(titles[index] ?? "", box, {
        size: 8.5,
        color: FAINT_INK,
        weight: "bold",
        align,
        direction: page.direction,
      }),
    );
    page.y += Math.max(...heights) + 3;
    page.rule();
    page.y += 5;
  }

  async #row(cells: readonly string[], columns: readonly Column[]): Promise<void> {
    const page = this.#page;
    await this.#pause();
    page.ensureSpace(18);
    const heights = columns.map(({ box, align }, index) => {
      return page.text(cells[index] ?? "", box, { align, direction: page.direction });
    });
    page.y += Math.max(...heights) + 2;
  }

  #sum(label: string, amountMinor: number, bold = true): void {
    const page = this.#page;
    const { width, direction } = page;
    const weight = bold ? "bold" : "regular";
    page.ensureSpace(22);
    page.y += 3;
    page.text(label, { from: width / 2, to: width - 110 }, { weight, align: "end", direction });
    page.y += page.text(
      this.#money(amountMinor),
      { from: width - 104, to: width },
      { weight, align: "figure", direction },
    );
  }

  #money(minor: number): string {
    return moneyText(minor, this.#issue.currency, this.#issue.language);
  }

  #instant(instant: string, options: Intl.DateTimeFormatOptions): string {
    const { timeZone } = this.#issue;
    return this.#format({ timeZone, ...options }).format(new Date(instant));
  }

  /** Formats one date or a range of dates in the receipt's language. */
  #dates(from: string, to: string): string {
    const format = this.#format({ dateStyle: "medium", timeZone: "UTC" });
    return format.formatRange(new Date(`${from}T00:00:00Z`), new Date(`${to}T00:00:00Z`));
  }

  /** Caches formats, because creating a format takes far longer than using it. */
  #format(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
    const key = JSON.stringify(options);
    const format = this.#formats.get(key) ?? new Intl.DateTimeFormat(this.#tag, options);
    this.#formats.set(key, format);
    return format;
  }
}

/** A receipt of more lines takes seconds and a hundred megabytes. */
const MAX_SHORT_LINES = 500;
const longReceipts = new HotelTurns();

/**
 * Returns the receipt of a stay as a PDF, in the requested language or else the first guest's; dates are in the
 * hotel's time zone. Long receipts are drawn one at a time. @throws no_permission; not_found as for a stay that
 * doesn't exist; too_many_attempts if too many long receipts of this person are waiting
 */
export async function receipt(
  scope: Scope,
  files: FileStore,
  stayId: number,
  language?: LanguageCode,
): Promise<{ fileName: string; content: Buffer }> {
  scope.require("folio.view");
  const receiptData = await readReceipt(scope, stayId);
  const { lastEntryId, hotel } = receiptData;
  const [number, logo] = await Promise.all([
    issueReceipt(scope, stayId, lastEntryId),
    hotel.logoFileId === null ? null : readLogo(scope, files, hotel.logoFileId),
  ]);
  const draw = (): Promise<Buffer> =>
    drawReceipt(receiptData, {
      number,
      logo,
      language: language ?? guestLanguage(receiptData.guests[0]?.nationality ?? null, scope.hotel.language),
      timeZone: scope.hotel.timeZone,
      hourFormat: scope.hotel.hourFormat,
      currency: scope.hotel.currency,
      now: scope.now(),
    });
  const content =
    countLines(receiptData) > MAX_SHORT_LINES
      ? await longReceipts.run(scope.hotelId, personOf(scope), draw)
      : await draw();
  return { fileName: `receipt-${number ?? receiptData.reference}.pdf`, content };
}

/** A receipt is printed without its logo if the picture can't be read: the guest is waiting for it. */
async function readLogo(scope: Scope, files: FileStore, id: string): Promise<Png | null> {
  try {
    const { content } = await files.open(scope, id);
    return await toPng(await buffer(content));
  } catch (error) {
    if (error instanceof DomainError) return null;
    throw error;
  }
}

const countLines = ({ charges, moves }: Receipt): number =>
  charges.reduce((sum, { lines }) => sum + Math.max(1, lines.length), moves.length);

const personOf = ({ operatorId, actor }: Scope): string => String(operatorId ?? `key:${actor.id}`);
