import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { gunzipSync } from "node:zlib";
import { LANGUAGES, type LanguageCode } from "@innkey/shared/languages";
import bidiFactory from "bidi-js";
import { create, type Font } from "fontkit";
import PDFDocument from "pdfkit";
import type { Png } from "../../files/public.ts";

/** Noto Sans (SIL Open Font License 1.1), a family of fonts that together write every language of the console. */
const FAMILIES = {
  latin: ["noto-sans", "NotoSans"],
  arabic: ["noto-sans-arabic", "NotoSansArabic"],
  chs: ["noto-sans-sc", "NotoSansSC"],
  chsTW: ["noto-sans-tc", "NotoSansTC"],
  Japanese: ["noto-sans-jp", "NotoSansJP"],
  Korean: ["noto-sans-kr", "NotoSansKR"],
} as const;

type Family = keyof typeof FAMILIES;
type Weight = "regular" | "bold";
const FILES: Record<Weight, string> = { regular: "400Regular", bold: "700Bold" };

const resolve = createRequire(import.meta.url).resolve;

/** Reads a font from its package; in an image it is compressed (scripts/slim-packages.mjs). */
function readFont(folder: string, file: string): Buffer {
  const path = join(dirname(resolve(`@expo-google-fonts/${folder}/package.json`)), file);
  return existsSync(path) ? readFileSync(path) : gunzipSync(readFileSync(`${path}.gz`));
}

/** Fonts of one document, read from disk on demand because the largest is ten megabytes in size. */
class ReceiptFonts {
  readonly #han: readonly Family[];
  readonly #files = new Map<string, Buffer>();
  readonly #fonts = new Map<Family, Font>();

  constructor(language: LanguageCode) {
    const hans: readonly Family[] = ["chs", "chsTW", "Japanese", "Korean"];
    this.#han = [...hans].sort((a, b) => Number(b === language) - Number(a === language));
  }

  file(family: Family, weight: Weight): Buffer {
    const [folder, name] = FAMILIES[family];
    const path = `${FILES[weight]}/${name}_${FILES[weight]}.ttf`;
    const file = this.#files.get(path) ?? readFont(folder, path);
    this.#files.set(path, file);
    return file;
  }

  /**
   * Returns the first font that has the character. The same Chinese character is drawn differently in Chinese, Japanese
   * and Korean, so kana or hangul in the text decide, otherwise the receipt's language.
   */
  familyOf(character: string, text: string): Family {
    const code = character.codePointAt(0) ?? 0;
    const order: readonly Family[] = /[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)
      ? ["latin", "arabic", "Japanese", ...this.#han]
      : /\p{Script=Hangul}/u.test(text)
        ? ["latin", "arabic", "Korean", ...this.#han]
        : ["latin", "arabic", ...this.#han];
    return order.find((family) => this.#font(family).hasGlyphForCodePoint(code)) ?? "latin";
  }

  has(family: Family, character: string): boolean {
    return this.#font(family).hasGlyphForCodePoint(character.codePointAt(0) ?? 0);
  }

  #font(family: Family): Font {
    const loadedFont = this.#fonts.get(family);
    if (loadedFont) return loadedFont;
    const font = create(this.file(family, "regular"));
    if (!("hasGlyphForCodePoint" in font)) throw new Error(`${family} is a collection of fonts`);
    this.#fonts.set(family, font);
    return font;
  }
}

const bidi = bidiFactory();

/** Consecutive characters that one font draws in one direction, in writing order. */
interface Run {
  text: string;
  family: Family;
}

type Direction = "ltr" | "rtl";

/** Direction marks are not needed once the order is known, and fonts cannot draw them. */
const INVISIBLE = /[\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFEFF]/gu;
/** Spaces that some languages use in numbers and some fonts lack. */
const SPECIAL_SPACES = /[\u2000-\u200A\u202F\u205F]/gu;

/**
 * Splits a line into runs from left to right, by the Unicode Bidirectional Algorithm (UAX #9). A run from right to left
 * stays in logical order if shaping will reverse it; otherwise it is reversed here.
 */
function runsOf(line: string, base: Direction | undefined, fonts: ReceiptFonts): Run[] {
  const text = line.replace(SPECIAL_SPACES, "\u00A0");
  const embedding = bidi.getEmbeddingLevels(text, base);
  const mirrored = bidi.getMirroredCharactersMap(text, embedding.levels);
  const runs: { text: string; family: Family; level: number }[] = [];
  let index = 0;
  for (const character of text) {
    const level = embedding.levels[index] ?? 0;
    const drawn = mirrored.get(index) ?? character;
    index += character.length;
    if (drawn.replace(INVISIBLE, "") === "") continue;
    const last = runs.at(-1);
    const family = fonts.familyOf(drawn, text);
    const fits = family === last?.family || (family === "latin" && last && fonts.has(last.family, drawn));
    if (last?.level === level && fits) last.text += drawn;
    else runs.push({ text: drawn, family, level });
  }
  return reordered(runs).map(({ text: own, family, level }) => ({
    text: level % 2 === 1 && !/\p{Script=Arabic}/u.test(own) ? [...own].reverse().join("") : own,
    family,
  }));
}

/** Rule L2: from the highest level down to the lowest odd one, reverses every sequence at that level or above. */
function reordered<Levelled extends { level: number }>(runs: readonly Levelled[]): Levelled[] {
  const order = [...runs];
  for (let level = Math.max(0, ...runs.map((run) => run.level)); level > 0; level -= 1) {
    for (let start = 0; start < order.length; start += 1) {
      let end = start;
      while ((order[end]?.level ?? -1) >= level) end += 1;
      if (end > start) order.splice(start, end - start, ...order.slice(start, end).reverse());
      start = Math.max(start, end);
    }
  }
  return order;
}

/** Points; A4 is 595 by 842. */
const MARGIN = 48;
const BOTTOM = 72;
const LINE_HEIGHT = 1.4;

interface Style {
  size?: number;
  weight?: Weight;
  color?: string;
  /** "figure" aligns on the right in every language, so that amounts line up. */
  align?: "start" | "end" | "figure" | undefined;
  /** Direction of the whole text; if omitted, its first letter decides, as for names. */
  direction?: Direction | undefined;
}

/** Horizontal extent of a text in points, within the margins, from the side at which the language begins. */
export interface Box {
  from: number;
  to: number;
}

const INK = "#1c1a17";
export const FAINT_INK = "#6b665e";
const RULE_COLOR = "#d8d3ca";

/**
 * A page filled from top to bottom, in any language. It orders, shapes and wraps all text; "start" is the right-hand
 * side in languages written from right to left.
 */
export class ReceiptPage {
  readonly width: number;
  /** Direction of the receipt's language. */
  readonly direction: Direction;
  y = MARGIN;
  readonly #doc: PDFKit.PDFDocument;
  readonly #fonts: ReceiptFonts;
  readonly #segmenter: Intl.Segmenter;
  readonly #registeredFonts = new Set<string>();
  /** Cached, because a long receipt repeats most of its texts, and shaping takes most of the time. */
  readonly #runs = new Map<string, readonly Run[]>();
  readonly #widths = new Map<string, number>();

  constructor(language: LanguageCode, info: { title: string; author: string; createdAt: Date }) {
    const { tag, dir } = LANGUAGES.find(({ code }) => code === language) ?? LANGUAGES[2];
    this.direction = dir;
    this.#segmenter = new Intl.Segmenter(tag, { granularity: "word" });
    this.#fonts = new ReceiptFonts(language);
    this.#doc = new PDFDocument({
      size: "A4",
      margin: MARGIN,
      bufferPages: true,
      lang: tag,
      displayTitle: true,
      info: { Title: info.title, Author: info.author, CreationDate: info.createdAt },
    });
    this.width = this.#doc.page.width - 2 * MARGIN;
  }

  /** Writes a text at the current height, wrapped to its box, without moving down. Returns the text's height. */
  text(text: string, box: Box, style: Style = {}): number {
    const { size = 10, weight = "regular" } = style;
    const lines = this.#wrap(text, box.to - box.from, size, weight, style.direction);
    lines.forEach((line, index) => {
      this.#line(line, box, this.y + index * size * LINE_HEIGHT, style);
    });
    return lines.length * size * LINE_HEIGHT;
  }

  /** Draws a picture at the current height, as large as its box and height allow, without moving down. Returns its height. */
  image({ bytes, width, height }: Png, { from, to }: Box, maxHeight: number): number {
    const scale = Math.min((to - from) / width, maxHeight / height);
    const left = this.direction === "ltr" ? from : this.width - from - width * scale;
    this.#doc.image(bytes, MARGIN + left, this.y, { width: width * scale, height: height * scale });
    return height * scale;
  }

  /** Draws a line across the page. */
  rule(weight = 0.5): void {
    const y = this.y;
    this.#doc
      .moveTo(MARGIN, y)
      .lineTo(MARGIN + this.width, y)
      .lineWidth(weight)
      .strokeColor(RULE_COLOR)
      .stroke();
  }

  /** Starts a new page unless this many points are left. Returns whether it started one. */
  ensureSpace(points: number): boolean {
    if (this.y + points <= this.#doc.page.height - BOTTOM) return false;
    this.#doc.addPage();
    this.y = MARGIN;
    return true;
  }

  /** Writes the footer of every page and ends the document. `pause` is awaited between pages. */
  async finish(footer: (page: number, pages: number) => string, pause: () => Promise<void>): Promise<Buffer> {
    const { count } = this.#doc.bufferedPageRange();
    for (let page = 0; page < count; page += 1) {
      await pause();
      this.#doc.switchToPage(page);
      // The footer is inside the margin, where pdfkit would otherwise start a new page.
      this.#doc.page.margins.bottom = 0;
      this.y = this.#doc.page.height - MARGIN;
      this.text(
        footer(page + 1, count),
        { from: 0, to: this.width },
        { size: 8, color: FAINT_INK, direction: this.direction },
      );
    }
    const chunks: Buffer[] = [];
    const done = new Promise<Buffer>((resolve, reject) => {
      this.#doc.on("data", (chunk: Buffer) => chunks.push(chunk));
      this.#doc.on("end", () => resolve(Buffer.concat(chunks)));
      this.#doc.on("error", reject);
    });
    this.#doc.end();
    return done;
  }

  #line(line: string, { from, to }: Box, y: number, style: Style): void {
    const { size = 10, weight = "regular", color = INK, align = "start", direction } = style;
    const runs = this.#runsOf(line, direction);
    const widths = runs.map((run) => this.#width(run.text, run.family, size, weight));
    const width = widths.reduce((sum, one) => sum + one, 0);
    const fromLeft = align !== "figure" && (align === "start") === (this.direction === "ltr");
    const [left, right] = this.direction === "ltr" ? [from, to] : [this.width - to, this.width - from];
    let x = MARGIN + (fromLeft ? left : right - width);
    runs.forEach((run, index) => {
      this.#use(run.family, weight, size);
      // Without the features option pdfkit shapes word by word, which breaks text from right to left.
      this.#doc
        .fillColor(color)
        .text(run.text, x, y + size, { lineBreak: false, baseline: "alphabetic", features: [] });
      x += widths[index] ?? 0;
    });
  }

  #wrap(text: string, width: number, size: number, weight: Weight, direction?: Direction): string[] {
    const lines: string[] = [];
    for (const paragraph of text.split(/\r?\n/)) {
      if (this.#measure(paragraph.trim(), size, weight, direction) <= width) {
        lines.push(paragraph.trim());
        continue;
      }
      let line = "";
      for (const { segment } of this.#segmenter.segment(paragraph)) {
        if (line.trim() !== "" && this.#measure((line + segment).trimEnd(), size, weight, direction) > width) {
          lines.push(line.trim());
          line = "";
        }
        for (const piece of this.#splitWord(segment, width, size, weight, direction)) {
          if (piece.full) lines.push(piece.text);
          else line += piece.text;
        }
      }
      lines.push(line.trim());
    }
    return lines;
  }

  /** Splits a word that is wider than its box into pieces that fit. */
  #splitWord(word: string, width: number, size: number, weight: Weight, direction?: Direction) {
    const pieces: { text: string; full: boolean }[] = [];
    let text = "";
    if (this.#measure(word, size, weight, direction) <= width) return [{ text: word, full: false }];
    for (const character of word) {
      if (text && this.#measure(text + character, size, weight, direction) > width) {
        pieces.push({ text, full: true });
        text = "";
      }
      text += character;
    }
    return [...pieces, { text, full: false }];
  }

  #measure(text: string, size: number, weight: Weight, direction?: Direction): number {
    return this.#runsOf(text, direction).reduce((sum, run) => sum + this.#width(run.text, run.family, size, weight), 0);
  }

  #runsOf(line: string, direction: Direction | undefined): readonly Run[] {
    const key = `${direction ?? ""}|${line}`;
    const runs = this.#runs.get(key) ?? runsOf(line, direction, this.#fonts);
    this.#runs.set(key, runs);
    return runs;
  }

  #width(text: string, family: Family, size: number, weight: Weight): number {
    const key = `${family}|${weight}|${size}|${text}`;
    let width = this.#widths.get(key);
    if (width === undefined) {
      this.#use(family, weight, size);
      width = this.#doc.widthOfString(text, { features: [] });
      this.#widths.set(key, width);
    }
    return width;
  }

  #use(family: Family, weight: Weight, size: number): void {
    const name = `${family}-${weight}`;
    if (!this.#registeredFonts.has(name)) {
      this.#doc.registerFont(name, this.#fonts.file(family, weight));
      this.#registeredFonts.add(name);
    }
    this.#doc.font(name).fontSize(size);
  }
}
