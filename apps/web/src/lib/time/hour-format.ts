import { type HourFormat, timeTag } from "@innkey/shared/hour-format";
import { language } from "../i18n.ts";

let tag: string = language.tag;

/** Remembers how the hotel of the session writes times of day. */
export function rememberHourFormat(hourFormat: HourFormat): void {
  tag = timeTag(language.tag, hourFormat);
}

/** Returns the locale tag for formatting times of day. */
export function hotelTimeTag(): string {
  return tag;
}
