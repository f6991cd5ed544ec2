import type { Translate } from "../../../kernel/translate.ts";

/** Returns the page's headings and labels in the reader's language. */
export function labelsOf(translate: Translate) {
  return {
    title: translate("legacyDocs.title"),
    intro: translate("legacyDocs.intro"),
    contents: translate("legacyDocs.contents"),
    field: translate("legacyDocs.field"),
    type: translate("legacyDocs.type"),
    needed: translate("legacyDocs.needed"),
    yes: translate("legacyDocs.yes"),
    default: translate("legacyDocs.default"),
    example: translate("legacyDocs.example"),
    orNull: translate("legacyDocs.orNull"),
    request: translate("legacyDocs.request"),
    requestSealed: translate("legacyDocs.requestSealed"),
    answer: translate("legacyDocs.answer"),
    answerSealed: translate("legacyDocs.answerSealed"),
    errors: translate("legacyDocs.errors"),
    noInput: translate("legacyDocs.noInput"),
    noAnswer: translate("legacyDocs.noAnswer"),
    noToken: translate("legacyDocs.noToken"),
    changes: translate("legacyDocs.changes"),
    large: translate("legacyDocs.large"),
  };
}

export type Labels = ReturnType<typeof labelsOf>;
