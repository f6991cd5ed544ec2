import type { PreparedCard } from "@innkey/shared/schemas/access/cards";
import type { PasscodeCreated } from "@innkey/shared/schemas/access/passcodes";
import type { StayKeys } from "@innkey/shared/schemas/access/stay-keys";
import { cutOff, type Door, type Hotel } from "./hotel.ts";
import { Refused } from "./hotel-server.ts";
import { type Key, type KeyKind, tryKey, writtenPlastic } from "./keys.ts";
import type { SeededRandom } from "./seeded-random.ts";
import { count, type Tally } from "./tally.ts";

/** A stay and its room. */
interface Stay {
  stayId: number;
  door: Door;
  startsAt: number;
  endsAt: number;
  hasArrived: boolean;
  /** the desk added the zone that is an extra */
  hasExtra: boolean;
}

export const DESK_ACTS = {
  checkIn: 6,
  reserve: 8,
  arrive: 3,
  guestCard: 8,
  airCard: 4,
  airCardForPeriod: 2,
  code: 5,
  codeForPeriod: 4,
  codeForSeconds: 3,
  codeWithoutEnd: 2,
  oneTimeCode: 5,
  managementCard: 2,
  universalCard: 0.5,
  emergencyCard: 0.7,
  oneShotCard: 3,
  blockOutCard: 0.7,
  holdBlockOutCard: 4,
  moveManagementCard: 1,
  loseCard: 4,
  removeCode: 4,
  renew: 4,
  shorten: 3,
  shortenSoon: 3,
  shortenWhileAway: 3,
  renewWhileJammed: 2,
  renewWhileAway: 2,
  moveReservation: 4,
  moveReservationWhileAway: 5,
  changeRoom: 3,
  changeRoomWhileAway: 2,
  checkOut: 4,
  turnKeys: 0.2,
  switchExtra: 5,
  openDoor: 3,
} as const;
export type DeskAct = keyof typeof DESK_ACTS;

const MINUTE = 60_000;
/** A key may be tried a moment before its stay ends and refused a moment after. */
const PAID_MARGIN_MS = 2_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const NEW_CARD_PROBABILITY = 0.85;
/** number of recent keys per changed room: those of the stay and of the one before */
const MAX_CHANGED_KEYS = 8;
const iso = (at: number): string => new Date(at).toISOString();

/** Simulates the desk's actions one after the other, and records the keys that they create. */
export class Desk {
  readonly keys: Key[] = [];
  /** the newest keys of the door that the last action changed */
  changed: Key[] = [];
  readonly stays: Stay[] = [];
  private readonly hotel: Hotel;
  private readonly random: SeededRandom;
  private readonly tally: Tally;
  private number = 0;

  constructor(hotel: Hotel, random: SeededRandom, tally: Tally) {
    this.hotel = hotel;
    this.random = random;
    this.tally = tally;
  }

  /** @throws Refused, Unclear */
  act(name: DeskAct): Promise<void> {
    return this[name]();
  }

  private get session() {
    return this.hotel.desk;
  }

  private anyDoor(): Door {
    const door = this.random.pick(this.hotel.rooms);
    if (!door) throw new Error("a hotel without rooms");
    return door;
  }

  private anyStay(isSuitable: (stay: Stay) => boolean = ({ hasArrived }) => hasArrived): Stay {
    const stay = this.random.pick(this.stays.filter(isSuitable));
    if (!stay) throw new Refused("nobody is there");
    return stay;
  }

  private anyKey(isSuitable: (key: Key) => boolean): Key {
    const key = this.random.pick(this.keys.filter(isSuitable).slice(-30));
    if (!key) throw new Refused("there is no such key");
    return key;
  }

  /** The doors that the keys of a stay are to open: its room's and the common ones. */
  private doorsOf(stay: Stay): Door[] {
    const opens = { all: true, group: stay.door.isInGroup, extra: stay.hasExtra };
    return [stay.door, ...this.hotel.doors.filter(({ zone }) => zone !== null && opens[zone])];
  }

  private doorsOfStay(stayId: number | null, door: Door): Door[] {
    const stay = this.stays.find((one) => one.stayId === stayId);
    return stay ? this.doorsOf(stay) : [door];
  }

  /** Adds a zone to a stay or takes it away; its keys follow. */
  private async switchExtra(): Promise<void> {
    const { extraZoneId } = this.hotel;
    if (extraZoneId === null) throw new Refused("the hotel has no zones");
    const stay = this.anyStay(() => true);
    const hasExtra = !stay.hasExtra;
    await this.session.change("zones.setOfStay", { stayId: stay.stayId, zoneIds: hasExtra ? [extraZoneId] : [] });
    stay.hasExtra = hasExtra;
    this.addDoorsOf(stay);
    this.addDoorHistory(stay.door, `stay ${stay.stayId} ${hasExtra ? "gets" : "loses"} an extra`);
  }

  private addDoorsOf(stay: Stay): void {
    for (const key of this.keys)
      if (key.stayId === stay.stayId) for (const door of this.doorsOf(stay)) key.doors.add(door);
  }

  /** Checks whether a party is in the room of the door, has paid for this moment, and relies on this key. */
  isPaidFor(key: Key, door: Door): boolean {
    const now = Date.now();
    return this.stays.some(
      (stay) =>
        stay.stayId === key.stayId &&
        stay.hasArrived &&
        this.doorsOf(stay).includes(door) &&
        stay.startsAt < now &&
        now + PAID_MARGIN_MS < stay.endsAt,
    );
  }

  /**
   * Extends every stay, so that its written cards end too early. A stay whose room is booked afterwards stays as it
   * is.
   */
  async extendAll(): Promise<void> {
    for (const stay of this.stays.filter(({ hasArrived }) => hasArrived))
      await this.renew(stay).catch((error: unknown) => {
        if (!(error instanceof Refused)) throw error;
      });
  }

  /** Writes every card again that the console asks for, and returns how many there were. */
  async writeAgain(): Promise<number> {
    let count = 0;
    for (const { stayId, door } of this.stays.filter(
      ({ hasArrived, endsAt }) => hasArrived && endsAt > Date.now() + MINUTE,
    )) {
      const { keys } = await this.session.read<StayKeys>("keys.ofStay", { stayId });
      for (const { label: uid, stayGuestId } of keys.filter(({ state }) => state === "rewrite")) {
        const card = await this.session.change<PreparedCard>("cards.prepare", {
          ...{ stayId, uid, overwrite: true, note: this.name(), holderId: stayGuestId },
        });
        const { plastic, readBack } = writtenPlastic(card, false);
        for (const key of this.keys)
          if (key.plastic && key.content === uid) Object.assign(key, { plastic: null, content: "", stayId: null });
        const key = this.add(card.uid, "guest card", card.cardId, this.doorsOfStay(stayId, door), {
          content: uid,
          plastic,
        });
        key.stayId = stayId;
        addHistory(key, "written again because the console asked for it");
        await this.session.change("cards.confirm", { cardId: card.cardId, readBack });
        count += 1;
      }
    }
    return count;
  }

  /** Keys that the console still marks or waits for, by stay; at rest and after `writeAgain` there are none. */
  async markedKeys(): Promise<{ door: Door; text: string }[]> {
    const marked: { door: Door; text: string }[] = [];
    for (const { stayId, door } of this.stays.filter(
      ({ hasArrived, endsAt }) => hasArrived && endsAt > Date.now() + MINUTE,
    )) {
      const { keys } = await this.session.read<StayKeys>("keys.ofStay", { stayId });
      for (const { kind, id, label, state, rewrite } of keys)
        if (state === "rewrite" || state === "waiting")
          marked.push({ door, text: `stay ${stayId}: ${kind} ${id} ${label} ${state} ${rewrite ?? ""}` });
    }
    return marked;
  }

  /** Returns a new unique name for the next key. */
  private name(): string {
    this.number += 1;
    return `K${String(this.number).padStart(5, "0")}`;
  }

  private add(
    name: string,
    kind: KeyKind,
    id: number,
    doors: readonly Door[],
    carrier: Pick<Key, "content" | "plastic">,
  ): Key {
    const key: Key = { name, kind, id, doors: new Set(doors), stayId: null, openings: [], history: [], ...carrier };
    this.keys.push(key);
    count(this.tally.keys, kind);
    addHistory(key, `made for ${doors.map((door) => door.name).join(", ")}`);
    return key;
  }

  /** Records a change of a stay in the history of every key of the door. */
  private addDoorHistory(door: Door, text: string): void {
    const keys = this.keys.filter(({ doors }) => doors.has(door));
    for (const key of keys) addHistory(key, `${door.name}: ${text}`);
    this.changed = keys.slice(-MAX_CHANGED_KEYS);
  }

  private async checkIn(): Promise<void> {
    const door = this.anyDoor();
    const startsAt = Date.now() - this.random.int(3, 20) * HOUR;
    const endsAt = Date.now() + this.random.int(2, 48) * HOUR;
    const { stayId } = await this.session.change<{ stayId: number }>(
      "stays.checkIn",
      this.booking(door, startsAt, endsAt),
    );
    this.stays.push({ stayId, door, startsAt, endsAt, hasArrived: true, hasExtra: false });
    this.addDoorHistory(door, `a party checks in, stay ${stayId}`);
  }

  private booking(door: Door, startsAt: number, endsAt: number): object {
    const period = { startsAt: iso(startsAt), endsAt: iso(endsAt) };
    const guests = [{ name: `Guest ${this.name()}` }];
    return { roomId: door.roomId, unit: "day", ...period, guests, ...{ confirmDirty: true, confirmAlreadyIn: true } };
  }

  private async reserve(): Promise<void> {
    const door = this.anyDoor();
    const startsAt = Date.now() + this.random.int(-60, 300) * 1000;
    const endsAt = startsAt + this.random.int(2, 48) * HOUR;
    const { stayId } = await this.session.change<{ stayId: number }>(
      "stays.reserve",
      this.booking(door, startsAt, endsAt),
    );
    this.stays.push({ stayId, door, startsAt, endsAt, hasArrived: false, hasExtra: false });
    // Most stays get their keys with the reservation.
    if (this.random.chance(0.7)) await this.addCode("code", [door], { type: "air", stayId });
    if (this.random.chance(0.3)) await this.addAirCard([door], { stayId });
  }

  private async arrive(): Promise<void> {
    const stay = this.anyStay(({ hasArrived }) => !hasArrived);
    await this.session.change("stays.arrive", { stayId: stay.stayId, confirmDirty: true, confirmAlreadyIn: true });
    stay.hasArrived = true;
    this.addDoorHistory(stay.door, `the party of stay ${stay.stayId} arrives`);
  }

  private async guestCard(): Promise<void> {
    const { stayId, door, endsAt } = this.anyStay();
    const writtenKeys = this.keys.filter(({ plastic }) => plastic !== null);
    const oldCard = this.random.chance(NEW_CARD_PROBABILITY) ? undefined : this.random.pick(writtenKeys);
    const earlierEnd =
      this.random.chance(0.15) && endsAt > Date.now() + HOUR ? iso(Date.now() + this.random.int(1, 50) * MINUTE) : null;
    const disableOldCards = this.random.chance(0.25);
    const input = { stayId, disableOldCards, validTo: earlierEnd };
    const older = this.keys.filter((key) => key.stayId === stayId && key.kind === "guest card");
    const key = await this.write("guest card", this.doorsOfStay(stayId, door), oldCard, "cards.prepare", input);
    // A card for a part of the stay is refused when that part is over, as the desk wanted.
    if (key && earlierEnd === null) key.stayId = stayId;
    if (!disableOldCards) return;
    for (const old of older) old.stayId = null;
    this.addDoorHistory(door, "older cards are disabled");
  }

  /** Prepares, writes, reads back and confirms a card; now and then it simulates a failure on the way. */
  private async write(
    kind: KeyKind,
    doors: readonly Door[],
    oldCard: Key | undefined,
    procedure: string,
    input: object,
  ): Promise<Key | null> {
    const uid = oldCard?.content ?? this.random.hex(4);
    const name = this.name();
    const card = await this.session.change<PreparedCard>(procedure, {
      uid,
      overwrite: true,
      note: name,
      ...input,
    });
    const luck = this.random.next();
    const outcome = luck < 0.04 ? "only prepared" : luck < 0.08 ? "torn" : luck < 0.12 ? "not confirmed" : "written";
    const { plastic, readBack } = writtenPlastic(card, outcome === "torn");
    if (outcome === "only prepared") return null;
    for (const key of this.keys)
      if (key.plastic && key.content === uid) {
        key.plastic = null;
        key.content = "";
        key.stayId = null;
        addHistory(key, `written over by ${name}`);
      }
    const key = this.add(name, kind, card.cardId, doors, { content: uid, plastic });
    addHistory(key, `${outcome}, ${card.validFrom} to ${card.validTo}`);
    if (outcome !== "written") return null;
    await this.session.change("cards.confirm", { cardId: card.cardId, readBack });
    return key;
  }

  private async airCard(): Promise<void> {
    const { stayId, door } = this.anyStay();
    await this.addAirCard([door], { stayId });
  }

  private async airCardForPeriod(): Promise<void> {
    const doors = this.someDoors();
    const validTo = iso(Date.now() + this.random.int(20, 300) * 1000);
    const validFrom = this.random.chance(0.3) ? iso(Date.now() + this.random.int(5, 15) * 1000) : null;
    await this.addAirCard(doors, { roomIds: doors.map(({ roomId }) => roomId), validFrom, validTo });
  }

  private someDoors(): Door[] {
    return [...new Set(Array.from({ length: this.random.int(1, 3) }, () => this.anyDoor()))];
  }

  private async addAirCard(doors: readonly Door[], input: object): Promise<void> {
    const name = this.name();
    const uid = this.random.hex(7);
    const { cardId } = await this.session.change<{ cardId: number }>("cards.addOverTheAir", {
      uid,
      note: name,
      ...input,
    });
    const stayId = stayIdOf(input);
    const opened = stayId === null || !doors[0] ? doors : this.doorsOfStay(stayId, doors[0]);
    const key = this.add(name, "air card", cardId, opened, { content: uid, plastic: null });
    key.stayId = stayId;
    addHistory(key, JSON.stringify(input));
  }

  private async code(): Promise<void> {
    const stay = this.anyStay(() => true);
    const codeInput = this.random.chance(0.3) ? { type: "custom", code: this.random.digits(6) } : { type: "air" };
    await this.addCode("code", [stay.door], { ...codeInput, stayId: stay.stayId });
  }

  private async codeForPeriod(): Promise<void> {
    const validFrom = iso(Date.now() + this.random.int(-60, 60) * 1000);
    await this.addCode("code", this.someDoors(), {
      type: "air",
      validFrom,
      validTo: iso(Date.now() + this.random.int(61, 400) * 1000),
    });
  }

  private async codeForSeconds(): Promise<void> {
    await this.addCode("code", [this.anyDoor()], {
      type: "air",
      validTo: iso(Date.now() + this.random.int(3, 20) * 1000),
    });
  }

  private async codeWithoutEnd(): Promise<void> {
    await this.addCode("code", this.someDoors(), { type: "air", validTo: null });
  }

  private async oneTimeCode(): Promise<void> {
    await this.addCode("one-time code", [this.anyDoor()], { type: "one_time" });
  }

  private async addCode(kind: KeyKind, doors: readonly Door[], input: object): Promise<void> {
    const person = this.name();
    const roomIds = doors.map(({ roomId }) => roomId);
    const created = await this.session.change<PasscodeCreated>("passcodes.create", { roomIds, person, ...input });
    const stayId = stayIdOf(input);
    const opened = stayId === null || !doors[0] ? doors : this.doorsOfStay(stayId, doors[0]);
    const free = opened.filter(({ name }) => !created.taken.includes(name));
    const key = this.add(person, kind, created.passcodeId, free, { content: created.code, plastic: null });
    key.stayId = stayId;
    addHistory(key, JSON.stringify(input));
  }

  private async managementCard(): Promise<void> {
    const doors = this.someDoors();
    const input = { kind: "management", roomIds: doors.map(({ roomId }) => roomId) };
    await this.write("management card", doors, undefined, "cards.prepareMaster", input);
  }

  private async universalCard(): Promise<void> {
    await this.write("universal card", this.hotel.doors, undefined, "cards.prepareMaster", { kind: "universal" });
  }

  private async emergencyCard(): Promise<void> {
    const isForAll = this.random.chance(0.5);
    const doors = isForAll ? this.hotel.doors : this.someDoors();
    await this.write("emergency card", doors, undefined, "cards.prepareMaster", {
      kind: "emergency",
      ...reachOf(doors, isForAll),
    });
  }

  private async blockOutCard(): Promise<void> {
    const isForAll = this.random.chance(0.5);
    const doors = isForAll ? this.hotel.doors : this.someDoors();
    await this.write("block-out card", doors, undefined, "cards.prepareMaster", {
      kind: "block_out",
      ...reachOf(doors, isForAll),
    });
  }

  /** Holds a block-out card at one of its doors, which blocks the door for guests or lets them in again. */
  private async holdBlockOutCard(): Promise<void> {
    const key = this.anyKey(({ kind }) => kind === "block-out card");
    const door = this.random.pick([...key.doors]);
    if (!door) throw new Refused("the card has no door");
    const { reason } = tryKey(key, door);
    addHistory(key, `held at ${door.name}: ${reason}`);
    this.addDoorHistory(door, `a block-out card was held there: ${reason}`);
  }

  /** @throws Refused, Unclear */
  async liftBlock(lockId: number): Promise<void> {
    await this.session.change("locks.liftBlock", { lockId });
  }

  private async oneShotCard(): Promise<void> {
    const door = this.anyDoor();
    const input = { roomId: door.roomId, once: true, minutes: 15 };
    await this.write("one-shot card", [door], undefined, "cards.prepareOneShot", input);
  }

  private async moveManagementCard(): Promise<void> {
    const key = this.anyKey(({ kind }) => kind === "management card");
    const doors = this.someDoors();
    await this.session.change("cards.setRooms", { cardId: key.id, roomIds: doors.map(({ roomId }) => roomId) });
    for (const door of doors) key.doors.add(door);
    addHistory(key, `now for ${doors.map(({ name }) => name).join(", ")}`);
  }

  private async loseCard(): Promise<void> {
    const key = this.anyKey(({ kind }) => kind.endsWith("card"));
    await this.session.change("cards.revoke", { cardId: key.id, reason: this.random.chance(0.5) ? "lost" : "by_hand" });
    key.stayId = null;
    addHistory(key, "taken back");
  }

  private async removeCode(): Promise<void> {
    const key = this.anyKey(({ kind }) => kind.endsWith("code"));
    await this.session.change("passcodes.remove", { passcodeId: key.id });
    key.stayId = null;
    addHistory(key, "taken back");
  }

  private async renew(stay = this.anyStay()): Promise<void> {
    const endsAt = Math.max(stay.endsAt, Date.now()) + this.random.int(1, 24) * HOUR;
    await this.session.change("stays.renew", { stayId: stay.stayId, endsAt: iso(endsAt) });
    stay.endsAt = endsAt;
    this.addDoorHistory(stay.door, `stay ${stay.stayId} now ends ${iso(endsAt)}`);
  }

  private shorten(): Promise<void> {
    return this.shortenTo(this.anyStay(), this.random.int(60, 100) * MINUTE);
  }

  private shortenSoon(): Promise<void> {
    return this.shortenTo(this.anyStay(), this.random.int(2, 8) * 1000);
  }

  private async shortenWhileAway(): Promise<void> {
    const stay = this.anyStay();
    cutOff(stay.door);
    await this.shortenTo(stay, this.random.int(2, 8) * 1000);
  }

  private async renewWhileAway(): Promise<void> {
    const stay = this.anyStay();
    cutOff(stay.door);
    await this.renew(stay);
  }

  private async renewWhileJammed(): Promise<void> {
    const stay = this.anyStay();
    const { lock } = stay.door.door;
    lock.faults = { ...lock.faults, jam: true };
    await this.renew(stay);
  }

  private async shortenTo(stay: Stay, inMs: number): Promise<void> {
    const endsAt = Date.now() + inMs;
    await this.session.change("stays.shorten", { stayId: stay.stayId, endsAt: iso(endsAt) });
    stay.endsAt = endsAt;
    this.addDoorHistory(stay.door, `stay ${stay.stayId} now ends ${iso(endsAt)}`);
  }

  private async changeRoom(stay = this.anyStay(), door = this.anyDoor()): Promise<void> {
    const input = {
      stayId: stay.stayId,
      roomId: door.roomId,
      confirmDirty: true,
      disableOldCards: this.random.chance(0.7),
    };
    await this.session.change("stays.changeRoom", input);
    this.moveKeys(stay, door);
  }

  private async changeRoomWhileAway(): Promise<void> {
    const stay = this.anyStay();
    const door = this.anyDoor();
    this.cutOffRandomly(stay.door, door);
    await this.changeRoom(stay, door);
  }

  /** Codes and card numbers move with the stay; records written on cards don't. */
  private moveKeys(stay: Stay, door: Door): void {
    const from = stay.door;
    stay.door = door;
    for (const key of this.keys) if (key.doors.has(from) && key.kind !== "guest card") key.doors.add(door);
    this.addDoorsOf(stay);
    this.addDoorHistory(from, `stay ${stay.stayId} moves to ${door.name}`);
  }

  private cutOffRandomly(from: Door, to: Door): void {
    const side = this.random.pick(["from", "to", "both"] as const);
    if (side !== "to") cutOff(from);
    if (side !== "from") cutOff(to);
  }

  private anyReservation(): Stay {
    return this.anyStay(({ hasArrived }) => !hasArrived);
  }

  /** Moves a reservation to other dates, in the same room or another one. */
  private async moveReservation(stay = this.anyReservation(), door = this.sameOrOtherDoor(stay)): Promise<void> {
    const period = this.otherPeriod(stay);
    const [startsAt, endsAt] = [iso(period.startsAt), iso(period.endsAt)];
    await this.session.change("stays.moveReservation", { stayId: stay.stayId, roomId: door.roomId, startsAt, endsAt });
    Object.assign(stay, period);
    if (door !== stay.door) this.moveKeys(stay, door);
    this.addDoorHistory(door, `stay ${stay.stayId} now is ${startsAt} to ${endsAt}`);
  }

  private async moveReservationWhileAway(): Promise<void> {
    const stay = this.anyReservation();
    const door = this.sameOrOtherDoor(stay);
    this.cutOffRandomly(stay.door, door);
    await this.moveReservation(stay, door);
  }

  private sameOrOtherDoor({ door }: Stay): Door {
    return this.random.chance(0.4) ? this.anyDoor() : door;
  }

  private otherPeriod({ startsAt, endsAt }: Stay): Pick<Stay, "startsAt" | "endsAt"> {
    const now = Date.now();
    const change = this.random.pick(["later", "next day", "earlier", "earlier and over soon"] as const);
    const soon = now + this.random.int(8, 60) * 1000;
    if (change === "later") return { startsAt: soon, endsAt: Math.max(endsAt, soon + 2 * HOUR) };
    if (change === "next day") return { startsAt: startsAt + DAY, endsAt: endsAt + DAY };
    const start = now - this.random.int(1, 600) * 1000;
    if (change === "earlier") return { startsAt: start, endsAt: Math.max(endsAt, now + 2 * HOUR) };
    return { startsAt: start, endsAt: now + this.random.int(4, 30) * 1000 };
  }

  private async checkOut(): Promise<void> {
    const stay = this.anyStay();
    await this.session.change("stays.checkOut", { stayId: stay.stayId, confirmUnpaid: true });
    this.stays.splice(this.stays.indexOf(stay), 1);
    for (const key of this.keys) if (key.stayId === stay.stayId) key.stayId = null;
    this.addDoorHistory(stay.door, `the party of stay ${stay.stayId} checks out`);
  }

  private async turnKeys(): Promise<void> {
    await this.session.change("cards.newProfile", { cipher: "aes", block: 0, keyType: "A" });
    for (const door of this.hotel.doors) this.addDoorHistory(door, "a new generation of card keys");
  }

  private async openDoor(): Promise<void> {
    const door = this.anyDoor();
    // Counted before the call, because the door may open while the answer is under way or lost.
    door.openRequests += 1;
    await this.session.change("locks.open", { roomId: door.roomId, reason: "lockout" }).catch((error: unknown) => {
      if (error instanceof Refused) door.openRequests -= 1;
      throw error;
    });
  }
}

const reachOf = (doors: readonly Door[], allDoors: boolean): object =>
  allDoors ? { allDoors } : { roomIds: doors.map(({ roomId }) => roomId) };

const stayIdOf = (input: object): number | null =>
  "stayId" in input && typeof input.stayId === "number" ? input.stayId : null;

const addHistory = (key: Key, text: string): void => void key.history.push(`${iso(Date.now())} ${text}`);
