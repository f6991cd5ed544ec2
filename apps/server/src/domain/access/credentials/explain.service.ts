import { uidCandidates } from "@innkey/shared/cards/uid";
import type * as schema from "@innkey/shared/schemas/access/locks";
import type { z } from "zod";
import type { Scope } from "../../../kernel/scope.ts";
import {
  cardsOfStay,
  codesOfStay,
  commonDoorIdsOfStay,
  commonDoorOf,
  type Door,
  doorOf,
  type Key,
  keyOfAnswer,
  keyOfCard,
} from "./key-facts.ts";
import { accessWindow } from "./key-period.ts";
import {
  explainKey,
  type Finding,
  findDoorFault,
  HIDDEN_CARD,
  isKeyWorking,
  judgeEnded,
  judgeRefusal,
  keyStyleOf,
  lastRefusalTo,
  NO_KEY,
  silentSince,
  UNKNOWN_CARD,
} from "./key-rules.ts";

/**
 * Explains why a key does not work: for a card number in any notation, for the guests in a room, or for a card at a
 * room's door or at a common door. Returns the most certain verdict. If the caller may not see the card, the verdict says
 * only that. @throws no_permission; not_found for a room or common door that the caller may not see
 */
export async function explain(scope: Scope, input: z.infer<typeof schema.explainInput>): Promise<schema.KeyVerdict> {
  scope.require("locks.view");
  const { roomId, doorId } = input;
  const common = doorId === undefined ? null : await commonDoorOf(scope, doorId);
  const door = roomId === undefined ? common : await doorOf(scope, roomId);
  if (input.number) return explainCard(scope, input.number, door);
  return door && door.roomId !== null
    ? explainDoor(scope, { ...door, roomId: door.roomId })
    : verdict(scope, UNKNOWN_CARD, null, null, "card");
}

async function explainCard(scope: Scope, number: string, atDoor: Door | null): Promise<schema.KeyVerdict> {
  const uids = uidCandidates(number);
  const key = uids.length > 0 ? await keyOfCard(scope, uids) : null;
  if (!key) {
    const mend = atDoor?.stayId ? "write_card" : UNKNOWN_CARD.mend;
    return verdict(scope, { ...UNKNOWN_CARD, mend }, null, atDoor, "card");
  }
  if (!maySeeKey(scope, key)) return verdict(scope, HIDDEN_CARD, null, atDoor, "card");
  const now = scope.now().toISOString();
  let door = atDoor ?? (await ownDoor(scope, key));
  let finding = explainKey(key, door, now, scope.hotel.timeZone);
  if (atDoor === null && isKeyWorking(finding)) {
    const fault = await findCommonDoorFault(scope, key, now);
    if (fault) ({ door, finding } = fault);
  }
  const answer = verdict(scope, finding, key, door);
  if (finding.mend !== "check_in") return answer;
  // A stay that is over can't be reopened. The guest checks in again, unless others occupy the room.
  return { ...answer, stayId: null, mend: door?.stayId == null ? "check_in" : "none" };
}

function maySeeKey(scope: Scope, { kind, rooms }: Key): boolean {
  if (scope.roomIds === null) return true;
  return kind === "guest" && rooms.length > 0 && rooms.every(({ id }) => scope.seesRoom(id));
}

/**
 * Returns the card's door; if there are several, the first with a problem. A master key card belongs to no particular
 * door.
 */
async function ownDoor(scope: Scope, { rooms, credentials }: Key): Promise<Door | null> {
  const problem = credentials.find(({ state, roomId }) => state !== "confirmed" && state !== "used" && roomId !== null);
  const roomId = problem?.roomId ?? rooms[0]?.id;
  return roomId === undefined ? null : doorOf(scope, roomId);
}

/** Returns the first common door of the key's stay that the key doesn't open, for whoever sees the whole hotel. */
async function findCommonDoorFault(
  scope: Scope,
  key: Key,
  now: string,
): Promise<{ door: Door; finding: Finding } | null> {
  if (scope.roomIds !== null || key.stayId === null) return null;
  for (const doorId of await commonDoorIdsOfStay(scope, key.stayId)) {
    const door = await commonDoorOf(scope, doorId);
    const finding = explainKey(key, door, now, scope.hotel.timeZone);
    if (door.lockId !== null && !isKeyWorking(finding)) return { door, finding };
  }
  return null;
}

async function explainDoor(scope: Scope, door: Door & { roomId: number }): Promise<schema.KeyVerdict> {
  const now = scope.now().toISOString();
  const { stayId, endsAt } = door;
  const until = endsAt && accessWindow(scope.hotel, { startsAt: endsAt, endsAt }).validTo.toISOString();
  const finding = findDoorFault(door, until, now);
  if (finding || stayId === null) return verdict(scope, finding ?? NO_KEY, null, door);
  const cards = await cardsOfStay(scope, stayId);
  const codesAtDoor = await codesOfStay(scope, stayId, door.roomId);
  const ended = codesAtDoor.filter(isEnded);
  const codes = codesAtDoor.filter((code) => code.stayId === stayId && !isEnded(code));
  const live = cards.find(({ state }) => state === "pending" || state === "active");
  const key = live ?? codes[0] ?? (ended[0] ? undefined : cards[0]);
  if (!key && ended[0]) return verdict(scope, judgeEnded(ended[0]), null, door, ended[0].style);
  if (!key) return verdict(scope, NO_KEY, null, door);
  // Judge the newest code too: a code missing on the lock may be the cause as well as an unwritten card.
  const findings = [key, ...(live ? codes.slice(0, 1) : [])].map((candidate) => ({
    key: candidate,
    finding: explainKey(candidate, door, now, scope.hotel.timeZone),
  }));
  const problem = findings.find((entry) => !isKeyWorking(entry.finding));
  if (problem) return verdict(scope, problem.finding, problem.key, door);
  const keys = [...cards, ...codes];
  const answer = lastRefusalTo(door, keys);
  if (!answer) return verdict(scope, explainKey(key, door, now, scope.hotel.timeZone), key, door);
  const triedKey = await keyOfAnswer(scope, answer);
  const style = keyStyleOf(answer);
  if (triedKey && !maySeeKey(scope, triedKey) && triedKey.stayId !== stayId)
    return verdict(scope, HIDDEN_CARD, null, door, style);
  return verdict(
    scope,
    judgeRefusal(door, answer, { keys, ended, triedKey }, now, scope.hotel.timeZone),
    key,
    door,
    style,
  );
}

const isEnded = ({ credentials, oneTime, usedAt }: Key): boolean =>
  (oneTime && usedAt !== null) || credentials.every(({ state }) => state === "revoking" || state === "revoked");

function verdict(
  scope: Scope,
  finding: Finding,
  key: Key | null,
  door: Door | null,
  style: schema.KeyStyle | null = key?.style ?? null,
): schema.KeyVerdict {
  const guestName = scope.can("stays.view") ? (key?.guestName ?? door?.guestName) : null;
  return {
    ...finding,
    style,
    params: {
      ...(door && { roomName: door.roomName }),
      ...(guestName && { guestName }),
      ...finding.params,
    },
    roomId: door?.roomId ?? null,
    doorId: door?.doorId ?? null,
    roomName: door?.roomName ?? null,
    stayId: key?.stayId ?? door?.stayId ?? null,
    stayGuestId: key?.stayGuestId ?? door?.stayGuestId ?? null,
    cardId: key?.cardId ?? null,
    lockId: door?.lockId ?? null,
    offlineSince: door && silentSince(door),
  };
}
