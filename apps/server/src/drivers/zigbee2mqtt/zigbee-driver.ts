import { type CommandMessage, lockArgs } from "@innkey/shared/locks/protocol";
import type { MqttLink } from "../../adapters/mqtt/mqtt.ts";
import type { DeviceLinks } from "../../domain/access/lock-links/device-links.ts";
import type { DriverLock, LockDriver, SendResult } from "../../domain/access/lock-links/driver.ts";
import type { ZigbeeLocks } from "../../domain/access/lock-links/zigbee-locks.ts";
import { usersOfMake, type ZigbeeDevices } from "./zigbee-words.ts";

export interface ZigbeeDriverDeps {
  link: Pick<MqttLink, "publish">;
  links: Pick<DeviceLinks, "of">;
  locks: Pick<ZigbeeLocks, "assignUser" | "findUser" | "isUnanswered">;
  devices: Pick<ZigbeeDevices, "abilityOf">;
  now: () => Date;
}

const DONE: SendResult = { outcome: "answered", ack: { ok: true } };
const refused = (error: "invalid" | "unsupported" | "full" | "not_set_up" | "not_found"): SendResult => ({
  outcome: "answered",
  ack: { ok: false, error },
});
const NOT_DELIVERED: SendResult = { outcome: "undelivered", error: "gateway", again: true };

/**
 * Delays after which we query a code that we set, because zigbee2mqtt doesn't report the result by itself. There are
 * several, because the lock may still be busy or its radio asleep.
 */
const QUERY_AFTER_MS = [700, 3_000, 8_000];

/**
 * Driver for locks behind zigbee2mqtt. Results are read from the state that the locks publish (zigbee-messages.ts).
 * Source: zigbee2mqtt.io, "Lock" and "pin_code"; zigbee-herdsman-converters, pincode_lock.
 */
export function zigbeeDriver(deps: ZigbeeDriverDeps): LockDriver {
  return {
    name: "zigbee2mqtt",
    async send(lock, command, signal) {
      const base = deps.links.of(lock.hotelId, "zigbee2mqtt")?.baseTopic;
      if (base === undefined) return { outcome: "undelivered", error: "not_set_up", again: true };
      if (!isName(lock.address)) return refused("not_set_up");
      try {
        const payload = await payloadOf(deps, lock, command);
        if (!("set" in payload)) return payload;
        await deps.link.publish(`${base}/${lock.address}/set`, JSON.stringify(payload.set), { signal });
        if (payload.user !== undefined)
          scheduleQueries(deps, `${base}/${lock.address}/get`, lock, command.id, payload.user);
        return { outcome: "sent" };
      } catch {
        return NOT_DELIVERED;
      }
    },
  };
}

const isName = (address: string): boolean => address !== "" && !/[+#]/.test(address) && !address.startsWith("bridge/");

function scheduleQueries(
  { link, locks }: ZigbeeDriverDeps,
  topic: string,
  lock: DriverLock,
  id: string,
  user: number,
): void {
  const query = async (): Promise<void> => {
    if (await locks.isUnanswered(lock, id)) await link.publish(topic, JSON.stringify({ pin_code: { user } }));
  };
  // A failed query is repeated at the latest when the command is sent again.
  for (const ms of QUERY_AFTER_MS) setTimeout(() => void query().catch(() => {}), ms).unref();
}

/** Returns the payload for zigbee2mqtt, or the result if there is nothing to send. */
async function payloadOf(
  { locks, devices, now }: ZigbeeDriverDeps,
  lock: DriverLock,
  { type, args }: CommandMessage,
): Promise<SendResult | { set: Record<string, unknown>; user?: number }> {
  if (type === "unlock") return { set: { state: "UNLOCK" } };
  // These locks don't read our cards and keep their own clock.
  if (type === "configure" || type === "set_clock") return DONE;
  if (type === "remove_credential") {
    const { slot } = lockArgs.remove_credential.parse(args);
    const user = await locks.findUser(lock, slot);
    return user === null ? refused("not_found") : { set: { pin_code: { user, pin_code: null } }, user };
  }
  if (type !== "set_credential") return refused("unsupported");
  const { kind, slot, code, validFrom, hours } = lockArgs.set_credential.parse(args);
  // These locks have no days and hours, and without them the code would open at any time.
  if (kind !== "passcode" || hours) return refused("unsupported");
  const ability = devices.abilityOf(lock.hotelId, lock.address);
  if (ability?.acceptsCodes === false) return refused("unsupported");
  // The code is sent as a number, which would lose leading zeros (source: zigbee-herdsman-converters, pincode_lock).
  if (code === undefined || !/^[1-9]\d{3,7}$/.test(code)) return refused("invalid");
  const user = await locks.assignUser(lock, slot, ability?.users ?? usersOfMake("", ""));
  if (user === null) return refused("full");
  const isValidNow = Date.parse(validFrom) <= now().getTime();
  return {
    set: { pin_code: { user, user_type: "unrestricted", user_enabled: isValidNow, pin_code: Number(code) } },
    user,
  };
}
