import type { UnlockReason, UnlockStyle } from "@innkey/shared/enums";
import type { LockEvent } from "@innkey/shared/locks/protocol";
import { z } from "zod";

/**
 * Parses an availability or bridge state: JSON, or a bare word from older versions. Source: zigbee2mqtt.io,
 * availability.
 */
export function presenceOf(payload: Buffer): "online" | "offline" | null {
  const text = payload.toString("utf8").trim();
  const presence = z.enum(["online", "offline"]);
  const bare = presence.safeParse(text);
  if (bare.success) return bare.data;
  try {
    return z.object({ state: presence }).safeParse(JSON.parse(text)).data?.state ?? null;
  } catch {
    return null;
  }
}

const percent = z.number().min(0).max(100).transform(Math.round);
const optionalText = z.string().nullable().optional().catch(undefined);
const userNumber = z.number().int().nullable().optional().catch(undefined);
const epochMs = z.number().nullable().optional().catch(undefined);

/**
 * Fields that we read from a lock's state. All are optional, because devices of other kinds publish on the same
 * topics.
 */
export const zigbeeState = z.object({
  state: optionalText,
  lock_state: optionalText,
  battery: percent.nullable().optional().catch(undefined),
  action: optionalText,
  action_source_name: optionalText,
  action_user: userNumber,
  /** Yale YMC 420 and YDM60. */
  action_source_user: userNumber,
  /** Onesti locks repeat these with every state until the next opening. */
  last_unlock_source: optionalText,
  last_unlock_user: optionalText,
  /** Onesti easyCodeTouch: milliseconds, repeated with every state. */
  last_successful_pincode_save: epochMs,
  last_successful_pincode_clear: epochMs,
  users: z
    .record(z.string(), z.object({ status: z.string() }))
    .nullable()
    .optional()
    .catch(undefined),
});
export type ZigbeeState = z.infer<typeof zigbeeState>;

const SOURCES: Readonly<Record<string, UnlockStyle>> = {
  keypad: "passcode",
  rfid: "card",
  rfid_card_unlock: "card",
  fingerprint: "fingerprint",
  fingerprintsensor: "fingerprint",
  manual: "inside",
  self: "inside",
  rf: "remote",
  zigbee: "remote",
};

/**
 * Unlock style by the `action` words of all lock definitions; null means that the source field names the style.
 * Source: zigbee-herdsman-converters 26.105, all definitions with a `lock` expose or a lock's actions (listed by
 * foreign/zigbee2mqtt).
 */
export const OPENINGS: Readonly<Record<string, UnlockStyle | null>> = {
  unlock: null,
  schedule_unlock: "unknown",
  key_unlock: "key",
  manual_unlock: "inside",
  manual_unlock_key_or_thumbturn: "unknown",
  keypad_unlock: "passcode",
  password_unlock: "passcode",
  password_open: "passcode",
  rfid_unlock: "card",
  fingerprint_unlock: "fingerprint",
  finger_open: "fingerprint",
  zigbee_unlock: "remote",
  unlock_module: "remote",
  lock_opened: "unknown",
  lock_opened_inside: "inside",
  lock_opened_outside: "unknown",
};
export const REFUSALS: Readonly<Record<string, { style: UnlockStyle | null; reason: UnlockReason }>> = {
  unlock_failure_invalid_pin_or_id: { style: null, reason: "unknown" },
  unlock_failure_invalid_schedule: { style: null, reason: "expired" },
  finger_not_match: { style: "fingerprint", reason: "unknown" },
  password_not_match: { style: "passcode", reason: "unknown" },
};
/** Aqara's first lock appends the user of the finger or code: `finger_open_user_id3`. */
const USER_ID = /_(?:admin|user)_id\d+$/;

export interface Opening extends Pick<LockEvent, "style" | "success" | "reason"> {
  /** User number of the code, if the lock reports it. */
  user: number | null;
}

/** Returns the opening or refused attempt that a state reports; null for all other actions. */
export function openingOf(state: ZigbeeState): Opening | null {
  const action = (state.action ?? "").replace(USER_ID, "");
  const bySource = SOURCES[state.action_source_name ?? ""] ?? "unknown";
  const user = state.action_user ?? state.action_source_user ?? null;
  const style = Object.hasOwn(OPENINGS, action) ? (OPENINGS[action] ?? bySource) : undefined;
  if (style) return { style, success: true, user };
  const refusal = Object.hasOwn(REFUSALS, action) ? REFUSALS[action] : undefined;
  return refusal ? { style: refusal.style ?? bySource, success: false, reason: refusal.reason, user } : null;
}

/** Returns the last opening that Onesti locks repeat. It is a new opening if it differs from the previous message. */
export function lastOpeningOf({ last_unlock_source: source, last_unlock_user: user }: ZigbeeState): Opening | null {
  if (source == null) return null;
  return {
    style: SOURCES[source] ?? "unknown",
    success: true,
    user: /^\d{1,4}$/.test(user ?? "") ? Number(user) : null,
  };
}

const CODE_CHANGES: Readonly<Record<string, "set" | "cleared">> = {
  pin_code_added: "set",
  pin_code_changed: "set",
  pin_code_deleted: "cleared",
};

/** Returns the code that the lock reports as just set or cleared, also if the console did not do it. */
export function codeChangeOf({
  action,
  action_user: user,
}: ZigbeeState): { user: number; act: "set" | "cleared" } | null {
  const act = CODE_CHANGES[action ?? ""];
  return act && user != null ? { user, act } : null;
}

const device = z.object({
  friendly_name: z.string(),
  definition: z
    .object({
      vendor: z.string().catch(""),
      model: z.string().catch(""),
      exposes: z.array(z.object({ name: z.string().optional(), property: z.string().optional() }).catch({})).catch([]),
    })
    .nullish()
    .catch(null),
});

/** What a lock supports concerning codes. */
interface ZigbeeAbility {
  /** null if zigbee2mqtt has no definition of the device. */
  acceptsCodes: boolean | null;
  /** Number of users; they are numbered from 0. */
  users: number;
}

/**
 * Users per maker, or maker and model, as the converters count them (`meta.pinCodeCount`); zigbee2mqtt doesn't publish
 * this.
 */
const USERS_BY_MAKE: Readonly<Record<string, number>> = {
  Danalock: 20,
  Datek: 109,
  "Heimgard Technologies": 39,
  Kwikset: 30,
  "Onesti Products AS": 1000,
  Schlage: 30,
  ShinaSystem: 4,
  Weiser: 30,
  Yale: 250,
  "Yale YMI70A": 100,
};
const MAX_USERS = 250;

/** Returns the number of users of a lock; an unknown make gets a default. */
export const usersOfMake = (vendor: string, model: string): number =>
  USERS_BY_MAKE[`${vendor} ${model}`] ?? USERS_BY_MAKE[vendor] ?? MAX_USERS;

/** Parses `bridge/devices` into abilities by friendly name. Returns null if it is invalid. */
function abilitiesOf(payload: unknown): ReadonlyMap<string, ZigbeeAbility> | null {
  const devices = z.array(z.unknown()).safeParse(payload);
  if (!devices.success) return null;
  const abilities = new Map<string, ZigbeeAbility>();
  for (const entry of devices.data) {
    const { data } = device.safeParse(entry);
    if (!data) continue;
    const { friendly_name: name, definition } = data;
    const acceptsCodes = definition
      ? definition.exposes.some(({ property, name }) => property === "pin_code" || name === "pin_code")
      : null;
    abilities.set(name, { acceptsCodes, users: usersOfMake(definition?.vendor ?? "", definition?.model ?? "") });
  }
  return abilities;
}

const MAX_DEVICES = 10_000;

/** Abilities and presence of the devices, as each zigbee2mqtt last reported them. */
export class ZigbeeDevices {
  readonly #abilities = new Map<number, ReadonlyMap<string, ZigbeeAbility>>();
  readonly #isOnline = new Map<string, boolean>();

  /** Stores the abilities from a `bridge/devices` message. Returns false if it is invalid. */
  setAbilities(hotelId: number, payload: unknown): boolean {
    const abilities = abilitiesOf(payload);
    if (abilities) this.#abilities.set(hotelId, abilities);
    return abilities !== null;
  }

  /** Returns a device's abilities, or null if zigbee2mqtt didn't list it. */
  abilityOf(hotelId: number, address: string): ZigbeeAbility | null {
    return this.#abilities.get(hotelId)?.get(address) ?? null;
  }

  /** Stores the state from a device's `…/availability` message. */
  setPresence(hotelId: number, address: string, isOnline: boolean): void {
    if (this.#isOnline.size >= MAX_DEVICES) this.#isOnline.clear();
    this.#isOnline.set(`${hotelId}/${address}`, isOnline);
  }

  /**
   * Whether zigbee2mqtt reported the device as offline. Other messages don't prove that it is back, because
   * zigbee2mqtt may publish cached values.
   */
  isAway(hotelId: number, address: string): boolean {
    return this.#isOnline.get(`${hotelId}/${address}`) === false;
  }
}
