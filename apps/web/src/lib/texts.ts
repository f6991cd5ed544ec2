import i18next, { type i18n } from "i18next";

/** Texts in the format of locales/: nested, plural forms as `key_one`, placeholders as `{{name}}`. */
export type Branch = { [key: string]: string | Branch };

/** `count` selects the plural form. */
export type TextParams = Record<string, string | number | undefined>;

/** Returns i18next for one language, to which parts of the texts are added with `addTexts`. */
export function createTexts(tag: string): i18n {
  const texts = i18next.createInstance();
  void texts.init({
    lng: tag,
    load: "currentOnly",
    fallbackLng: false,
    initAsync: false,
    resources: {},
    interpolation: { escapeValue: false },
    showSupportNotice: false,
  });
  return texts;
}

/** Adds a part. Parts come in any order, and two may contain texts of one section. */
export function addTexts(texts: i18n, part: Branch): void {
  texts.addResourceBundle(texts.language, "translation", part, true);
}
