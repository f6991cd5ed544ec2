import type { PasscodeRow } from "@innkey/shared/schemas/passcodes";
import { windowText } from "@/entities/lock/lock-words.ts";
import { t } from "@/lib/i18n.ts";

/** Returns the period in which a code opens, as text. */
export function periodText({ type, validFrom, validTo }: PasscodeRow, timeZone: string): string {
  if (type === "one_time") return t("passcode.untilUsed");
  return validTo === null ? t("passcode.permanent") : windowText(validFrom, validTo, timeZone);
}
