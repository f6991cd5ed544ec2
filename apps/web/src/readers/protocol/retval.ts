/** Results of the reader family: 0 is success; one table covers all others (source: device notes, section A1). */
const MEANINGS = {
  10: "generic",
  11: "unsupported",
  12: "parameter",
  13: "noCard",
  14: "radio",
  20: "request",
  21: "reset",
  22: "authentication",
  23: "read",
  24: "write",
  192: "communication",
  193: "noDevice",
  194: "notOpen",
  195: "alreadyOpen",
  196: "timeout",
  197: "transfer",
  198: "deviceInfo",
  199: "handle",
  200: "buffer",
  201: "system",
  202: "unknown",
  224: "generic",
  225: "checksum",
  226: "length",
  227: "parameter",
} as const;

export type RetvalMeaning = (typeof MEANINGS)[keyof typeof MEANINGS] | "flash";

export const RETVAL = {
  noCard: 0x0d,
  request: 0x14,
  noDevice: 0xc1,
  notOpen: 0xc2,
  alreadyOpen: 0xc3,
  handle: 0xc7,
} as const;

export function meaningOf(retval: number): RetvalMeaning {
  if (retval >= 0x51 && retval <= 0x56) return "flash";
  return MEANINGS[retval as keyof typeof MEANINGS] ?? "unknown";
}

/** Formats a result like the maker's table: "0x14". */
export function retvalText(retval: number): string {
  return `0x${retval.toString(16).toUpperCase().padStart(2, "0")}`;
}
