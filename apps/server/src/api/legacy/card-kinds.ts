import type { CardKind } from "@innkey/shared/enums";

/** The kinds of cards that old clients know. */
export const LEGACY_CARD_KINDS = ["guest", "management", "universal"] as const;

/** Emergency, block-out and one-shot cards are cards of the house with doors of their own, so old clients see staff cards. */
export const legacyCardKind = (kind: CardKind): (typeof LEGACY_CARD_KINDS)[number] =>
  kind === "guest" || kind === "universal" ? kind : "management";
