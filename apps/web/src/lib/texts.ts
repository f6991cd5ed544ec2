/** Texts in the format of locales/: nested, plural forms as `key_one`, placeholders as `{{name}}`. */
export type Branch = { [key: string]: string | Branch };

/** `count` selects the plural form. */
export type TextParams = Record<string, string | number | undefined>;

export interface Texts {
  /** Adds a part. Parts come in any order, and two may contain texts of one section. */
  add(part: Branch): void;
  /** Returns the text with its placeholders filled; undefined if there is none. */
  find(key: string, params?: TextParams): string | undefined;
}

/**
 * Reads i18next's JSON format with i18next's results (texts.test.ts compares them over every text of every language) at
 * a tenth of its size, because the size of the first load matters.
 */
export function createTexts(tag: string): Texts {
  const plural = new Intl.PluralRules(tag);
  let texts: Branch = {};

  function textAt(key: string): string | undefined {
    let at: string | Branch | undefined = texts;
    for (const part of key.split(".")) at = typeof at === "object" ? at[part] : undefined;
    return typeof at === "string" ? at : undefined;
  }

  function choose(key: string, count: unknown): string | undefined {
    if (typeof count !== "number") return textAt(key);
    const zero = count === 0 ? textAt(`${key}_zero`) : undefined;
    return zero ?? textAt(`${key}_${plural.select(count)}`) ?? textAt(key);
  }

  return {
    add(part) {
      const merged = { ...texts };
      for (const [name, section] of Object.entries(part))
        merged[name] = typeof section === "object" ? { ...Object(merged[name]), ...section } : section;
      texts = merged;
    },
    find(key, params = {}) {
      const text = choose(key, params.count);
      return text?.replace(/\{\{\s*(\w+)\s*\}\}/g, (_hole, name: string) => String(params[name] ?? ""));
    },
  };
}
