/** Vocabularies as plain lists, for code that should not carry the schema library; enums.ts and schemas/ build on them. */
export const ORDER_TYPES = ["room", "renewal", "exchange", "deposit", "payment", "refund"] as const;

export const UNLOCK_STYLES = ["card", "passcode", "face", "remote", "key", "inside", "unknown"] as const;
