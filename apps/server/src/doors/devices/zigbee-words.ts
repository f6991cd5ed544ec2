import type { UnlockReason, UnlockStyle } from "@innkey/shared/enums";
import type { LockEvent } from "@innkey/shared/locks/protocol";
import { z } from "zod";

/** Availability and the bridge's state: JSON, or the bare word of older versions. Source: zigbee2mqtt.io, availability. */
export function presenceOf(payload: Buffer): "online" | "offline" | null {
  const text = payload.toString("utf8").trim();
  const word = z.enum(["online", "offline"]);
  const bare = word.safeParse(text);
  if (bare.success) return bare.data;
  try {
    return z.object({ state: word }).safeParse(JSON.parse(text)).data?.state ?? null;
  } catch {
    return null;
  }
}

const percent = z.number().min(0).max(100).transform(Math.round);

/** What a lock's state is read for; devices of every other kind publish there too, so everything is optional. */
export const zigbeeState = z.object({
  state: z.string().optional().catch(undefined),
  lock_state: z.string().nullable().optional().catch(undefined),
  battery: percent.nullable().optional().catch(undefined),
  action: z.string().nullable().optional().catch(undefined),
  action_source_name: z.string().nullable().optional().catch(undefined),
  action_user: z.number().int().nullable().optional().catch(undefined),
  users: z
    .record(z.string(), z.object({ status: z.string() }))
    .nullable()
    .optional()
    .catch(undefined),
});
export type ZigbeeState = z.infer<typeof zigbeeState>;

const STYLES: Readonly<Record<string, UnlockStyle>> = {
  keypad: "passcode",
  rfid: "card",
  manual: "inside",
  rf: "remote",
};
const REASONS: Readonly<Record<string, UnlockReason>> = {
  unlock_failure_invalid_pin_or_id: "unknown",
  unlock_failure_invalid_schedule: "expired",
};

/** An opening, or an attempt at one; null for everything else that a lock says it did. */
export function openingOf({
  action,
  action_source_name: source,
}: ZigbeeState): Pick<LockEvent, "style" | "success" | "reason"> | null {
  const style = STYLES[source ?? ""] ?? "unknown";
  switch (action) {
    case "unlock":
      return { style, success: true };
    case "key_unlock":
      return { style: "key", success: true };
    case "manual_unlock":
    case "one_touch_unlock":
      return { style: "inside", success: true };
    case "schedule_unlock":
      return { style: "unknown", success: true };
  }
  const reason = REASONS[action ?? ""];
  return reason ? { style, success: false, reason } : null;
}
