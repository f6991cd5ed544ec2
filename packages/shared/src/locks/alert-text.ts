import type { AlertKind } from "../enums.ts";

/** Returns which text under `locks.alert` says what an alert is about. A lock may warn of its battery without its level. */
export function alertTextKey(
  kind: AlertKind,
  params: Readonly<Record<string, unknown>>,
): AlertKind | "unmanaged_named" | "battery_low_unknown" {
  if (kind === "unmanaged_code" && params.key) return "unmanaged_named";
  return kind === "battery_low" && params.power === undefined ? "battery_low_unknown" : kind;
}
