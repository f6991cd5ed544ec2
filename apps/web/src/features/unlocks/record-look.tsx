import type { UnlockStyle } from "@innkey/shared/enums";
import type { UnlockRecord } from "@innkey/shared/schemas/unlocks";
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

/** A lock that cries out tells of no attempt to open it. */
export const isAlarm = ({ success, style, reason }: UnlockRecord): boolean =>
  !success && style === "unknown" && reason === "";

export const iconOf = (record: UnlockRecord): LucideIcon => (isAlarm(record) ? BellRing : ICONS[record.style]);

export const styleText = (record: UnlockRecord): string =>
  isAlarm(record) ? t("doors.strip.alarm") : t(`room.style.${record.style}`);

/** Opened, refused, or an alarm. */
export function resultText(record: UnlockRecord): string {
  if (record.success) return t("room.opened");
  return isAlarm(record) ? t("doors.strip.alarm") : t("room.refused");
}

/** Why the door stayed shut; nothing if it opened or the lock doesn't say. */
export const reasonText = ({ success, reason }: UnlockRecord): string =>
  success || reason === "" ? "" : t(`locks.unlockReason.${reason}`);

/** Who it was, as far as the house knows. */
export const personOf = ({ guestName, holder, operatorName }: UnlockRecord): string =>
  guestName ?? holder ?? operatorName ?? "";
