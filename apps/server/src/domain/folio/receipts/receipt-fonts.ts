import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { gunzipSync } from "node:zlib";
import type { LanguageCode } from "@innkey/shared/languages";
import { create, type Font } from "fontkit";

/** Noto Sans (SIL Open Font License 1.1), a family of fonts that together write every language of the console. */
const FAMILIES = {
  latin: ["noto-sans", "NotoSans"],
  arabic: ["noto-sans-arabic", "NotoSansArabic"],
  chs: ["noto-sans-sc", "NotoSansSC"],
  chsTW: ["noto-sans-tc", "NotoSansTC"],
  Japanese: ["noto-sans-jp", "NotoSansJP"],
  Korean: ["noto-sans-kr", "NotoSansKR"],
} as const;

export type Family = keyof typeof FAMILIES;
export type Weight = "regular" | "bold";
const FILES: Record<Weight, string> = { regular: "400Regular", bold: "700Bold" };

const resolve = createRequire(import.meta.url).resolve;

/** Reads a font from its package; in an image it is compressed (scripts/slim-packages.mjs). */
function readFont(folder: string, file: string): Buffer {
  const path = join(dirname(resolve(`@expo-google-fonts/${folder}/package.json`)), file);
  return existsSync(path) ? readFileSync(path) : gunzipSync(readFileSync(`${path}.gz`));
}

/** Fonts of one document, read from disk on demand because the largest is ten megabytes in size. */
export class ReceiptFonts {
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
