import type { UnlockRecord } from "@innkey/shared/schemas/unlocks";
import type { Translate } from "../../../kernel/translate.ts";

/** The part of a door record that is put into the reader's language. */
type RecordOutcome = Pick<UnlockRecord, "success" | "style" | "reason">;

/** An alarm record is not an attempt to open the door. */
const isAlarm = ({ success, style, reason }: RecordOutcome): boolean =>
  !success && style === "unknown" && reason === "";
const SOURCES = ["lock", "gateway", "console"];

export const styleWords = (row: RecordOutcome, t: Translate): string =>
  t(isAlarm(row) ? "doors.strip.alarm" : `room.style.${row.style}`);
export const resultWords = (row: RecordOutcome, t: Translate): string =>
  t(row.success ? "room.opened" : isAlarm(row) ? "doors.strip.alarm" : "room.refused");
/** Returns why the door stayed shut, or null if it opened or the reason is unknown. */
export const reasonWords = ({ success, reason }: RecordOutcome, t: Translate): string | null =>
  success || reason === "" ? null : t(`locks.unlockReason.${reason}`);
export const sourceWords = (source: string, t: Translate): string =>
  SOURCES.includes(source) ? t(`room.source.${source}`) : source;
