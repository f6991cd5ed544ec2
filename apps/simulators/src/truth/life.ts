import type { LockRow } from "@innkey/shared/schemas/access/locks";
import { periodFault } from "../locks/lock-memory.ts";
import type { Opening } from "../locks/virtual-lock.ts";
import { pause } from "../service.ts";
import { DESK_ACTS, Desk, type DeskAct } from "./desk-acts.ts";
import { comesTrue, type Door, eventName, eventsOf, type Hotel } from "./hotel.ts";
import { type HotelServer, Refused, Unclear } from "./hotel-server.ts";
import { type Claim, isCode, type Key, readClaim, tryKey } from "./keys.ts";

import type { SeededRandom } from "./seeded-random.ts";
import { count, LIES, LIES_AT_REST, type Lie, type Outcome, Tally } from "./tally.ts";
import { DOOR_TROUBLES, type DoorTrouble, Troubles } from "./troubles.ts";

export const SERVER_TROUBLES = { kill: 3, restart: 1, killDatabase: 2 } as const;
export type ServerTrouble = keyof typeof SERVER_TROUBLES;

export interface LifeOptions {
  random: SeededRandom;
  /** whether another step follows */
  goesOn: (step: number) => boolean;
  /** actions and troubles to leave out */
  without?: readonly (DeskAct | DoorTrouble | ServerTrouble)[];
  /** maximum time until the hotel is idle again */
  restMs: number;
}

const REPORT_EVERY_MS = 60_000;
const FOREIGN_DOOR = 0.1;
const RECENT = 60;
/** tolerance between reading a clock and the try itself */
const CLOCK_MS = 1_000;
const ON_TIME_MS = 10;
const DAY_MS = 24 * 3_600_000;
/** Probability of trying a key that the desk has just changed. */
const CHANGED_KEY = 0.35;
/** The console corrects clocks that are further off than this, so at rest none is. */
const SET_FROM_MS = 61_000;

/** Command states that an online lock must no longer have at rest. */
const UNDER_WAY = ["queued", "sent"];

interface Try {
  before: Claim;
  opening: Opening;
  /** the lock had unsent events before the try */
  unreported: boolean;
  lockTime: number;
}

/** Checks whether the lock behaved as claimed by its own clock, so that only the clock is wrong. */
function isOfClock({ says, period }: Claim, { opened, reason }: Opening, lockTime: number): boolean {
  if (!period || Math.abs(lockTime - Date.now()) <= ON_TIME_MS) return false;
  const around = [lockTime - CLOCK_MS, lockTime, lockTime + CLOCK_MS];
  if (opened) return says === "dead" && around.some((at) => periodFault(period, at) === null);
  return around.some((at) => periodFault(period, at) === reason);
}

/** The simulated life of a hotel: one event after the other, with tries at its doors. */
export class Life {
  readonly tally = new Tally();
  private readonly server: HotelServer;
  private readonly hotel: Hotel;
  private readonly options: LifeOptions;
  private readonly desk: Desk;
  private readonly troubles: Troubles;

  constructor(server: HotelServer, hotel: Hotel, options: LifeOptions) {
    this.server = server;
    this.hotel = hotel;
    this.options = options;
    this.desk = new Desk(hotel, options.random, this.tally);
    this.troubles = new Troubles(server, hotel, options.random);
  }

  /** Runs the steps, waits for rest, then tries every key at every door it was ever for. */
  async run(): Promise<void> {
    const { goesOn } = this.options;
    for (let step = 0; goesOn(step); step += 1) await this.step(step);
    await this.rest();
    await this.sweep();
    await this.reckonEvents();
  }

  private async step(step: number): Promise<void> {
    const { random } = this.options;
    const what = random.weighted({ act: 40, tries: 45, trouble: 14, server: 0.7 });
    if (what === "act") await this.act();
    if (what === "tries") for (let n = random.int(1, 3); n > 0; n -= 1) await this.somebodyTries();
    if (what === "trouble") {
      const trouble = random.weighted(this.left(DOOR_TROUBLES));
      const door = random.pick(this.hotel.doors);
      if (door) await this.asLongAsItTakes(() => this.troubles.begin(trouble, door, step));
      count(this.tally.troubles, trouble);
      if (trouble === "silence" && door?.silent) await this.tryNewest(door);
    }
    if (what === "server") await this.shakeServer();
    this.troubles.noticeFaults(step);
    await this.asLongAsItTakes(() => this.troubles.pass(step));
  }

  private left<Name extends string>(weights: Readonly<Record<Name, number>>): Partial<Record<Name, number>> {
    const without: readonly string[] = this.options.without ?? [];
    const entries = Object.entries<number>(weights).filter(([name]) => !without.includes(name));
    return Object.fromEntries(entries) as Partial<Record<Name, number>>;
  }

  private async act(): Promise<void> {
    const act = this.options.random.weighted(this.left(DESK_ACTS));
    try {
      await this.desk.act(act);
      count(this.tally.acts, act);
    } catch (error) {
      if (error instanceof Refused) count(this.tally.refusedActs, `${act} (${error.message})`);
      else if (error instanceof Unclear) this.tally.unclear += 1;
      else throw error;
    }
  }

  private async shakeServer(): Promise<void> {
    const left = this.left(SERVER_TROUBLES);
    if (Object.keys(left).length === 0) return;
    const trouble = this.options.random.weighted(left);
    count(this.tally.troubles, trouble);
    // The server or database goes down in the middle of an action of the desk.
    const act = this.act();
    if (trouble === "killDatabase") this.server.killDatabase();
    else await this.server.end(trouble === "kill" ? "SIGKILL" : "SIGTERM");
    await act;
    if (trouble !== "killDatabase") await this.server.up();
    await this.asLongAsItTakes(() => this.hotel.locks());
  }

  /** Retries a query while the server or its database is unavailable. */
  private async asLongAsItTakes<T>(work: () => Promise<T>): Promise<T> {
    for (const end = Date.now() + REPORT_EVERY_MS; ; await pause(100)) {
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof Unclear) || Date.now() > end) throw error;
      }
    }
  }

  private async somebodyTries(): Promise<void> {
    const { random } = this.options;
    const { keys } = this.desk;
    const isChanged = this.desk.changed.length > 0 && random.chance(CHANGED_KEY);
    const key = random.pick(isChanged ? this.desk.changed : random.chance(0.7) ? keys.slice(-RECENT) : keys);
    if (!key?.content) return;
    const own = [...key.doors];
    const door = random.pick(random.chance(FOREIGN_DOOR) || own.length === 0 ? this.hotel.doors : own);
    if (door) await this.compare(key, door, "life");
  }

  /** Tries the newest keys of a door; silence is rare and short, so a random try would seldom meet it. */
  private async tryNewest(door: Door): Promise<void> {
    const here = this.desk.keys.filter(({ doors, content }) => content && doors.has(door));
    for (const key of here.slice(-2)) await this.compare(key, door, "life");
  }

  async compare(key: Key, door: Door, when: Lie["when"]): Promise<void> {
    const before = await this.asLongAsItTakes(() => readClaim(this.hotel.desk, key, door));
    const unreported = door.door.lock.memory.events.length > 0;
    const lockTime = door.door.lock.time;
    const opening = tryKey(key, door);
    const { opened, reason } = opening;
    if (opened) key.openings.push({ at: Date.now(), door: door.name, memories: door.resets });
    const answer = opened ? "opened" : `refused: ${reason}`;
    key.history.push(
      `${new Date().toISOString()} ${door.name}: console "${before.says} (${before.because})", door ${answer}`,
    );
    if (key.kind === "one-time code" && opened) this.judgeSecondOpening(key, door, before, when);
    const outcome = await this.judge(key, door, { before, opening, unreported, lockTime });
    this.tally.compared(when, outcome);
    const isUnmended =
      LIES_AT_REST.includes(outcome) ||
      (before.says === "waiting" && UNDER_WAY.includes(before.because)) ||
      (outcome === "wrong clock" && Math.abs(door.door.lock.time - Date.now()) > SET_FROM_MS);
    if (LIES.includes(outcome) || (when === "rest" && isUnmended))
      this.tally.lie(outcome, when, door.name, key, before, answer);
  }

  private async judge(key: Key, door: Door, { before, opening, unreported, lockTime }: Try): Promise<Outcome> {
    const { says, because } = before;
    const { opened, reason } = opening;
    if (says === "may open") return opened ? "may open, opened" : "may open, refused";
    if (says === "unknown" && (await this.isHeardAgain(key, door))) return "unknown, LOCK IS HEARD";
    if (says === "unknown" || says === "waiting") return `${says}, ${opened ? "opened" : "refused"}`;
    if (says === "opens" && (await this.isSilent(door))) return "opens, SILENT LOCK";
    if (says === "dead" && !opened) return "dead, refused";
    if (says === "opens" && opened) return "opens, opened";
    if (isOfClock(before, opening, lockTime)) return "wrong clock";
    const after = await this.asLongAsItTakes(() => readClaim(this.hotel.desk, key, door));
    if (opened) {
      if (await this.hasTwin(key, door)) return "same digits as another key";
      return because === "not yet" && after.says === "opens" ? "changed meanwhile" : "dead, OPENED";
    }
    if (reason === "jammed" || reason === "no_power") return "motor or power gone";
    if (before.writeAgain && reason === "superseded") return "write again, refused";
    if (after.says !== "opens") return "changed meanwhile";
    if (key.kind === "one-time code" && unreported) return "use not reported yet";
    if (door.outOfNetwork || (door.lostMemory && !(await this.isSettled(door)))) {
      const { log } = door.door.lock.memory;
      const isKnownMemory = await this.asLongAsItTakes(() => this.server.knowsMemory(door.lockId, log));
      return isKnownMemory ? "memory lost, being told again" : "memory just lost";
    }
    return "opens, REFUSED";
  }

  private async lockOf(door: Door): Promise<LockRow | undefined> {
    const rows = await this.asLongAsItTakes(() => this.hotel.locks());
    return rows.find(({ id }) => id === door.lockId);
  }

  /** Checks whether the lock is offline and was last seen more than a day ago, so that its keys' status is unknown. */
  private async isSilent(door: Door): Promise<boolean> {
    if (!door.silent) return false;
    const row = await this.lockOf(door);
    return row?.online === false && row.lastSeenAt !== null && Date.now() - Date.parse(row.lastSeenAt) > DAY_MS;
  }

  /** Checks whether the lock was back online before the claim was read a second time. */
  private async isHeardAgain(key: Key, door: Door): Promise<boolean> {
    if (!(await this.lockOf(door))?.online) return false;
    return (await this.asLongAsItTakes(() => readClaim(this.hotel.desk, key, door))).says === "unknown";
  }

  /**
   * Checks whether the lock is online with no waiting commands; a lock that lost its memory then has everything again.
   */
  private async isSettled(door: Door): Promise<boolean> {
    const { online } = door.door;
    const row = await this.lockOf(door);
    const settled = online && row?.online === true && row.waiting === 0 && door.door.lock.memory.settings !== null;
    if (settled) door.lostMemory = false;
    return settled;
  }

  private async hasTwin(key: Key, door: Door): Promise<boolean> {
    if (!isCode(key)) return false;
    const twins = this.desk.keys.filter((other) => other !== key && isCode(other) && other.content === key.content);
    for (const twin of twins)
      if ((await this.asLongAsItTakes(() => readClaim(this.hotel.desk, twin, door))).says !== "dead") return true;
    return false;
  }

  private judgeSecondOpening(key: Key, door: Door, before: Claim, when: Lie["when"]): void {
    const [first, second] = key.openings.slice(-2);
    if (!first || !second) return;
    const afterLoss = first.memories !== second.memories;
    count(this.tally.acts, afterLoss ? "one-time code twice, memory lost between" : "one-time code TWICE");
    if (!afterLoss) this.tally.lie("one-time code opened twice", when, door.name, key, before, "opened");
  }

  /** Ends all troubles and waits until the console and its locks agree without help. */
  private async rest(): Promise<void> {
    await this.asLongAsItTakes(() => this.troubles.mendAll());
    const since = Date.now();
    const quiet = async (): Promise<boolean> => {
      const rows = await this.hotel.locks();
      const residual = await this.hotel.desk.read<object[]>("locks.residual");
      const silent = this.hotel.doors.every(({ door }) => door.online && door.lock.memory.events.length === 0);
      return silent && residual.length === 0 && rows.every(({ online, waiting }) => online && waiting === 0);
    };
    const came = await comesTrue(this.options.restMs, quiet);
    this.tally.restSeconds = Math.round((Date.now() - since) / 1000);
    if (came) return;
    const rows = await this.hotel.locks();
    for (const { id, roomName, online, waiting, lastError } of rows)
      if (!online || waiting > 0)
        this.tally.lie(
          "not at rest",
          "rest",
          roomName ?? "",
          null,
          null,
          `online ${online}, waiting ${waiting} ${lastError}; its connection: ${this.hotel.doors.find(({ lockId }) => lockId === id)?.door.connection}`,
        );
    const residual =
      await this.hotel.desk.read<{ key: string; label: string; roomName: string; error: string }[]>("locks.residual");
    for (const row of residual) {
      const [, cardId] = row.key.split(":").map(Number);
      const key = this.desk.keys.find(
        ({ id, name, content }) => name === row.label || (id === cardId && content === row.label),
      );
      this.tally.lie("still on the list at rest", "rest", row.roomName, key ?? null, null, `${row.key} ${row.error}`);
    }
  }

  private async sweep(): Promise<void> {
    const { random } = this.options;
    for (const key of this.desk.keys) {
      if (!key.content) continue;
      const foreign = random.pick(this.hotel.doors.filter((door) => !key.doors.has(door)));
      for (const door of key.doors) await this.compare(key, door, "rest");
      if (foreign) await this.compare(key, foreign, "rest");
    }
  }

  /** Compares the events at the doors with those the console has stored. */
  private async reckonEvents(): Promise<void> {
    const { doors, desk } = this.hotel;
    await comesTrue(this.options.restMs, async () => doors.every(({ door }) => door.lock.memory.events.length === 0));
    for (const door of doors) {
      const happened = eventsOf(door);
      const stored = (await this.asLongAsItTakes(() => this.server.storedEvents(door.lockId))).map(eventName);
      const names = new Set(stored);
      const missing = [...happened].filter(([name, was]) => was === "certain" && !names.has(name)).length;
      const strange = stored.filter((name) => !happened.has(name)).length;
      const doubled = stored.length - names.size + strange;
      const recordCount = await this.countRecords(desk, door.lockId);
      const { events } = this.tally;
      events.happened += happened.size;
      events.kept += stored.length;
      events.missing += missing;
      events.doubled += doubled;
      if (missing + doubled > 0 || recordCount !== stored.length)
        this.tally.lie(
          "events",
          "rest",
          door.name,
          null,
          null,
          `happened ${happened.size}, kept ${stored.length}, shown ${recordCount}, missing ${missing}, doubled ${doubled}`,
        );
      if (door.opened > door.asked)
        this.tally.lie(
          "opened more often than asked",
          "rest",
          door.name,
          null,
          null,
          `${door.opened} of ${door.asked}`,
        );
      this.tally.remote.asked += door.asked;
      this.tally.remote.opened += door.opened;
      if (door.door.lock.memory.strangeAcks > 0)
        this.tally.lie(
          "acknowledged what was never sent",
          "rest",
          door.name,
          null,
          null,
          `${door.door.lock.memory.strangeAcks} times`,
        );
    }
  }

  private async countRecords(desk: Hotel["desk"], lockId: number): Promise<number> {
    let recordCount = 0;
    let cursor: string | null = null;
    do {
      const input: object = { lockId, limit: 100, ...(cursor && { cursor }) };
      const page: { records: object[]; nextCursor: string | null } = await desk.read("unlocks.ofLock", input);
      recordCount += page.records.length;
      cursor = page.nextCursor;
    } while (cursor);
    return recordCount;
  }
}
