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

type RetvalMeaning = (typeof MEANINGS)[keyof typeof MEANINGS] | "flash";

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

/** The operations of a reader. */
export type Step =
  | "open"
  | "close"
  | "serial"
  | "model"
  | "buzzer"
  | "light"
  | "antenna"
  | "radio"
  | "request"
  | "anticollision"
  | "longUid"
  | "select"
  | "halt"
  | "authenticate"
  | "read"
  | "write";

/**
 * Each kind has its text, `reader.error.<kind>` (source: specification, section 8, and further results of the drivers).
 */
export type ReaderErrorKind =
  | "noService"
  | "timedOut"
  | "badAnswer"
  | "callFailed"
  | "openFailed"
  | "noDevice"
  | "notConnected"
  | "noCard"
  | "cardGone"
  | "uidFailed"
  | "wrongKey"
  | "readFailed"
  | "writeFailed"
  | "operationFailed"
  | "unsupported"
  /** it is bound to other people, whom the message names */
  | "ofOthers"
  | "blockForbidden"
  | "blockMissing"
  | "cancelled";

interface ReaderErrorDetail {
  /** The reader's own result. */
  retval?: number;
  /** The reader's own message. */
  message?: string;
}

export class ReaderError extends Error {
  override name = "ReaderError";
  readonly kind: ReaderErrorKind;
  readonly step: Step;
  readonly detail: ReaderErrorDetail;

  constructor(kind: ReaderErrorKind, step: Step, detail: ReaderErrorDetail = {}) {
    super(`${step}: ${kind}`);
    this.kind = kind;
    this.step = step;
    this.detail = detail;
  }
}

const BY_STEP: Partial<Record<Step, ReaderErrorKind>> = {
  open: "openFailed",
  request: "noCard",
  anticollision: "uidFailed",
  longUid: "uidFailed",
  select: "uidFailed",
  authenticate: "wrongKey",
  read: "readFailed",
  write: "writeFailed",
};

/** Whether the reader answered and refused. */
export function refused(step: Step, retval: number): ReaderError {
  return new ReaderError(kindOf(step, retval), step, { retval });
}

function kindOf(step: Step, retval: number): ReaderErrorKind {
  if (retval === RETVAL.noDevice) return "noDevice";
  if (retval === RETVAL.noCard) return step === "request" ? "noCard" : "cardGone";
  if (retval === 0x0b) return "unsupported";
  const lineBroken = retval >= 0xc0 && retval <= 0xca && retval !== RETVAL.alreadyOpen;
  if (lineBroken) return step === "open" ? "openFailed" : "notConnected";
  return BY_STEP[step] ?? "operationFailed";
}

/** Errors after which the state of the connection is unknown, so that it is opened again. */
export function breaksLine({ kind }: ReaderError): boolean {
  return ["noService", "timedOut", "badAnswer", "openFailed", "noDevice", "notConnected", "cancelled"].includes(kind);
}
