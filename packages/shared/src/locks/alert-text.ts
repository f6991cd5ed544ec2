import type { AlertKind } from "../enums.ts";

/**
 * Returns which text under `locks.alert` says what an alert is about. A lock may warn of its battery without its level, and
 * not everybody may see the name of the guest whom a message didn't reach.
 */
export function alertTextKey(
  kind: AlertKind,
  params: Readonly<Record<string, unknown>>,
): AlertKind | "unmanaged_named" | "battery_low_unknown" | "guest_message_failed_unnamed" {
  if (kind === "unmanaged_code" && params.key) return "unmanaged_named";
  if (kind === "guest_message_failed" && !params.name) return "guest_message_failed_unnamed";
  return kind === "battery_low" && params.power === undefined ? "battery_low_unknown" : kind;
}
