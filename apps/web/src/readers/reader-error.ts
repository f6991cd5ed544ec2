import { RETVAL } from "./protocol/retval.ts";

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
  | "blockForbidden"
  | "blockMissing"
  | "cancelled";

export interface ReaderErrorDetail {
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
