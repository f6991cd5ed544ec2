import type { MessageKind } from "@innkey/shared/enums";
import type { MessageRow } from "@innkey/shared/schemas/messages";
import {
  BatteryLow,
  CircleX,
  ClockAlert,
  DoorOpen,
  Hash,
  History,
  KeyRound,
  ListPlus,
  ListX,
  type LucideIcon,
  TriangleAlert,
  Unplug,
  Webhook,
} from "lucide-react";
import { spokenParams } from "@/entities/lock/lock-words.ts";
import { t } from "@/lib/i18n.ts";

export const MESSAGE_ICONS: Record<MessageKind, LucideIcon> = {
  battery_low: BatteryLow,
  tamper: TriangleAlert,
  wrong_codes: Hash,
  lock_offline: Unplug,
  clock_drift: ClockAlert,
  records_lost: ListX,
  command_failed: CircleX,
  unmanaged_code: KeyRound,
  webhook_failing: Webhook,
  codes_again: History,
  residual_keys: DoorOpen,
  too_many_events: ListPlus,
};

/** What happened, as a sentence for the desk. */
export function messageText({ kind, params, roomName }: MessageRow, timeZone: string): string {
  const spoken = spokenParams({ error: "", ...params, roomName: roomName ?? "" }, timeZone);
  const text = kind === "unmanaged_code" && params.key ? "unmanaged_named" : kind;
  return t(`locks.message.${text}`, { ...spoken, count: Number(params.count ?? 1) }).trim();
}
