import type { UnlockRecord } from "@innkey/shared/schemas/unlocks";
import type { Translate } from "../../core/translate.ts";

/** What a record of a door says, in the reader's language. */
type RecordOutcome = Pick<UnlockRecord, "success" | "style" | "reason">;

/** A lock that cries out tells of no attempt to open it. */
const isAlarm = ({ success, style, reason }: RecordOutcome): boolean =>
  !success && style === "unknown" && reason === "";
const SOURCES = ["lock", "gateway", "console"];

export const styleWords = (row: RecordOutcome, t: Translate): string =>
  t(isAlarm(row) ? "doors.strip.alarm" : `room.style.${row.style}`);
export const resultWords = (row: RecordOutcome, t: Translate): string =>
  t(row.success ? "room.opened" : isAlarm(row) ? "doors.strip.alarm" : "room.refused");
/** Why the door stayed shut; null where it opened, or nobody knows. */
export const reasonWords = ({ success, reason }: RecordOutcome, t: Translate): string | null =>
  success || reason === "" ? null : t(`locks.unlockReason.${reason}`);
export const sourceWords = (source: string, t: Translate): string =>
  SOURCES.includes(source) ? t(`room.source.${source}`) : source;
