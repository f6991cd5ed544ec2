import type { UnlockStyle } from "@innkey/shared/enums";
import type { UnlockRecord } from "@innkey/shared/schemas/access/unlocks";
import {
  BellRing,
  CreditCard,
  DoorOpen,
  Fingerprint,
  Hash,
  KeyRound,
  type LucideIcon,
  RadioTower,
  ScanFace,
  ShieldQuestion,
} from "lucide-react";
import { t } from "@/lib/i18n.ts";

type OpeningWords = Pick<UnlockRecord, "openingReason" | "openingNote">;

const ICONS: Record<UnlockStyle, LucideIcon> = {
  card: CreditCard,
  passcode: Hash,
  face: ScanFace,
  remote: RadioTower,
  key: KeyRound,
  inside: DoorOpen,
  fingerprint: Fingerprint,
  unknown: ShieldQuestion,
};

/** A failed record without a way of opening or a reason is an alarm, not an attempt to open the door. */
export const isAlarm = ({ success, style, reason }: UnlockRecord): boolean =>
  !success && style === "unknown" && reason === "";

export const iconOf = (record: UnlockRecord): LucideIcon => (isAlarm(record) ? BellRing : ICONS[record.style]);

export const styleText = (record: UnlockRecord): string =>
  isAlarm(record) ? t("doors.strip.alarm") : t(`room.style.${record.style}`);

/** Returns the result as text: opened, refused or alarm. */
export function resultText(record: UnlockRecord): string {
  if (record.success) return t("room.opened");
  return isAlarm(record) ? t("doors.strip.alarm") : t("room.refused");
}

/** Returns why the door did not open, or why staff opened it; "" if neither is known. */
export function reasonText({ success, reason, openingReason, openingNote }: UnlockRecord): string {
  if (!success) return reason === "" ? "" : t(`doors.unlockReason.${reason}`);
  return openingText({ openingReason, openingNote });
}

/** Returns why staff opened the door of an occupied room, with their own words; "" without a reason. */
export function openingText({ openingReason, openingNote }: OpeningWords): string {
  if (openingReason === null) return "";
  return [t(`doors.openingReason.${openingReason}`), openingNote].filter(Boolean).join(": ");
}

/** Returns the name of the person, as far as it is known; otherwise "". */
export const personOf = ({ guestName, holder, spareCard, operatorName }: UnlockRecord): string =>
  guestName ?? (spareCard === null ? (holder ?? operatorName ?? "") : t("room.spareCard", { label: spareCard }));
