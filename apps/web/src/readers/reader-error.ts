import { RETVAL } from "./retval.ts";

/** What a reader is asked for, one thing at a time. */
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

/** Each has its text, `reader.error.<kind>` (source: specification, section 8, and what the drivers can tell beyond it). */
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
  | "blockForbidden"
  | "blockMissing"
  | "cancelled";

export interface ReaderErrorDetail {
  /** the reader's own result */
  retval?: number;
  /** the reader's own words */
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

/** The reader answered, and said no. */
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

/** Nobody can say what state the line is in after these: it is opened anew. */
export function breaksLine({ kind }: ReaderError): boolean {
  return ["noService", "timedOut", "badAnswer", "openFailed", "noDevice", "notConnected", "cancelled"].includes(kind);
}
