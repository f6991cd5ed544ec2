import { normalUid } from "@innkey/shared/cards/uid";
import { lockAccess } from "@innkey/shared/schemas/access/locks";
import { cardAtDoor } from "../virtual-card.ts";
import type { VirtualReader } from "../virtual-reader.ts";
import { lockFaultsOf } from "./lock-faults.ts";
import { periodFault } from "./lock-memory.ts";
import type { Door, Street } from "./street.ts";

/** Describes the locks for the control page, without keys and codes. */
export function streetState(street: Street): object {
  return { locks: street.doors.map(doorState) };
}

function doorState({ name, mac, online, lock }: Door): object {
  const { power, bolted, notice, slots, events, settings, strangeAcks } = lock.memory;
  return {
    room: name,
    mac,
    online,
    power: Math.round(power),
    configured: settings !== null,
    credentials: slots.filter((slot) => periodFault(slot, lock.time) === null).length,
    unacknowledged: events.length,
    strangeAcks,
    bolted,
    notice,
    faults: lock.faults,
  };
}

/**
 * Handles the calls below `/locks`: GET /locks · GET /locks/<mac> · PUT /locks/<mac>/faults {…} · POST
 * /locks/<mac>/present {…} · POST /locks/<mac>/learn {code, name} · POST /locks/<mac>/reset {keepNetwork} · POST
 * /locks/<mac>/connect {url, user, password, pairingSecret}. Returns undefined for any other call.
 */
export async function callLocks(
  street: Street,
  reader: VirtualReader,
  call: string,
  body: unknown,
): Promise<object | undefined> {
  if (call === "GET /locks") return streetState(street);
  const [, method, mac, act] = /^(GET|PUT|POST) \/locks\/([0-9A-F]{12})(?:\/([a-z]+))?$/i.exec(call) ?? [];
  const door = mac && street.door(mac);
  if (!door) return undefined;
  switch (`${method} ${act ?? ""}`.trim()) {
    case "GET":
      return doorState(door);
    case "PUT faults":
      door.lock.faults = lockFaultsOf(body, door.lock.faults);
      return doorState(door);
    case "POST present":
      return present(door, reader, Object(body));
    case "POST learn":
      return learn(door, Object(body));
    case "POST reset":
      if (Object(body).keepNetwork === true) door.lock.loseMemory();
      else await door.reset();
      return doorState(door);
    case "POST connect":
      return connect(door, body);
    default:
      return undefined;
  }
}

interface Presented {
  uid?: unknown;
  code?: unknown;
  faceId?: unknown;
  key?: unknown;
  inside?: unknown;
  bolt?: unknown;
  tamper?: unknown;
}

/** Simulates one action at the door. By default it presents the card that lies on the reader. */
function present({ lock }: Door, reader: VirtualReader, what: Presented): object | undefined {
  if (typeof what.code === "string") return lock.enterCode(what.code);
  if (typeof what.faceId === "number") return lock.showFace(what.faceId);
  if (what.key === true) return lock.turnKey();
  if (what.inside === true) return lock.openInside();
  if (what.bolt === true) return lock.throwBolt();
  if (what.tamper === true) return lock.tamper();
  if (typeof what.uid !== "string") return reader.card && lock.presentCard(cardAtDoor(reader.card));
  const uid = normalUid(what.uid);
  const own = reader.cards.find((card) => card.uid === uid);
  if (own) return lock.presentCard(cardAtDoor(own));
  return uid ? lock.presentCard({ uid, read: () => null }) : undefined;
}

const typedIn = lockAccess.omit({ lockId: true, topic: true });

async function connect(door: Door, body: unknown): Promise<object | undefined> {
  const access = typedIn.safeParse(body);
  if (!access.success) return undefined;
  await door.connect(access.data);
  return doorState(door);
}

function learn({ lock }: Door, { code, name }: { code?: unknown; name?: unknown }): object | undefined {
  if (typeof code !== "string" || !/^\d{6}$/.test(code)) return undefined;
  return { slot: lock.learn(code, typeof name === "string" ? name.slice(0, 60) : "") };
}
