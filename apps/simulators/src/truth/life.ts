import { DAY_MS } from "@innkey/shared/durations";
import type { LockRow } from "@innkey/shared/schemas/access/locks";
import { periodFault } from "../locks/lock-memory.ts";
import type { Opening } from "../locks/virtual-lock.ts";
import { pause } from "../service.ts";
import { DESK_ACTS, Desk, type DeskAct } from "./desk-acts.ts";
import { type Door, eventName, eventsOf, type Hotel, waitUntil } from "./hotel.ts";
import { type HotelServer, Refused, Unclear } from "./hotel-server.ts";
import { BLOCKED_OUT, type Claim, isAnnounced, isCode, type Key, readClaim, tryKey } from "./keys.ts";
import type { SeededRandom } from "./seeded-random.ts";
import { count, LIES, LIES_AT_REST, type Lie, type Outcome, Tally } from "./tally.ts";
import { DOOR_TROUBLES, type DoorTrouble, Troubles } from "./troubles.ts";

export const SERVER_TROUBLES = { kill: 3, restart: 1, killDatabase: 2 } as const;
export type ServerTrouble = keyof typeof SERVER_TROUBLES;

export interface LifeOptions {
  random: SeededRandom;
  /** whether another step follows */
  hasNextStep: (step: number) => boolean;
  /** actions and troubles to leave out */
  excluded?: readonly (DeskAct | DoorTrouble | ServerTrouble)[];
  /** maximum time until the hotel is idle again */
  restMs: number;
}

const RETRY_LIMIT_MS = 60_000;
const FOREIGN_DOOR_PROBABILITY = 0.1;
const RECENT_KEYS = 60;
/** tolerance between reading a clock and the try itself */
const CLOCK_TOLERANCE_MS = 1_000;
const EXACT_CLOCK_MS = 10;
/** Probability of trying a key that the desk has just changed. */
const CHANGED_KEY_PROBABILITY = 0.35;
/** The console corrects clocks that are further off than this, so at rest none is. */
const MAX_CLOCK_ERROR_MS = 61_000;

/** Command states that an online lock must no longer have at rest. */
const OPEN_STATES = ["queued", "sent"];

/** Refusals that the console could not announce. */
const EXCUSED_REFUSALS: readonly Outcome[] = [
  "may open, refused",
  "unknown, refused",
  "changed meanwhile",
  "wrong clock",
  "memory just lost",
  "memory lost, keys being sent",
  "motor or power gone",
  "block not reported yet",
];

/** Keys that open a door one time only. */
const OPENS_ONCE: ReadonlySet<Key["kind"]> = new Set<Key["kind"]>(["one-time code", "one-shot card"]);

interface Try {
  before: Claim;
  opening: Opening;
  /** the lock had unsent events before the try */
  unreported: boolean;
  lockTime: number;
}

/** Checks whether the result is right by the lock's own clock, so that only that clock is wrong. */
function isExplainedByLockClock({ verdict, period }: Claim, { opened, reason }: Opening, lockTime: number): boolean {
  if (!period || Math.abs(lockTime - Date.now()) <= EXACT_CLOCK_MS) return false;
  const around = [lockTime - CLOCK_TOLERANCE_MS, lockTime, lockTime + CLOCK_TOLERANCE_MS];
  if (opened) return verdict === "dead" && around.some((at) => periodFault(period, at) === null);
  return around.some((at) => periodFault(period, at) === reason);
}

const isIdle = ({ online, waiting, blockedOutAt }: LockRow): boolean =>
  online && waiting === 0 && blockedOutAt === null;

/** The simulated life of a hotel: one event after the other, with tries at its doors. */
export class Life {
  readonly tally = new Tally();
  private readonly server: HotelServer;
  private readonly hotel: Hotel;
  private readonly options: LifeOptions;
  readonly desk: Desk;
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
    const { hasNextStep } = this.options;
    for (let step = 0; hasNextStep(step); step += 1) await this.step(step);
    await this.rest();
    await this.followMarks();
    await this.sweep();
    await this.compareEvents();
  }

  /** Does one thing of the hotel's life, chosen by weight. */
  private async step(step: number): Promise<void> {
    const { random } = this.options;
    const what = random.weighted({ act: 40, tries: 45, trouble: 14, server: 0.7 });
    if (what === "act") await this.act();
    if (what === "tries") for (let n = random.int(1, 3); n > 0; n -= 1) await this.tryRandomKey();
    if (what === "trouble") {
      const trouble = random.weighted(this.withoutExcluded(DOOR_TROUBLES));
      const door = random.pick(this.hotel.doors);
      if (door) await this.retryWhileUnclear(() => this.troubles.begin(trouble, door, step));
      count(this.tally.troubles, trouble);
      if (trouble === "silence" && door?.isSilent) await this.tryNewest(door);
    }
    if (what === "server") await this.disturbServer();
    this.troubles.scheduleDeskFaults(step);
    await this.retryWhileUnclear(() => this.troubles.endExpired(step));
  }

  /** Leaves out the acts and troubles that the options exclude. */
  private withoutExcluded<Name extends string>(weights: Readonly<Record<Name, number>>): Partial<Record<Name, number>> {
    const excluded: readonly string[] = this.options.excluded ?? [];
    const entries = Object.entries<number>(weights).filter(([name]) => !excluded.includes(name));
    return Object.fromEntries(entries) as Partial<Record<Name, number>>;
  }

  private async act(): Promise<void> {
    const act = this.options.random.weighted(this.withoutExcluded(DESK_ACTS));
    try {
      await this.desk.act(act);
      count(this.tally.acts, act);
    } catch (error) {
      if (error instanceof Refused) count(this.tally.refusedActs, `${act} (${error.message})`);
      else if (error instanceof Unclear) this.tally.unclear += 1;
      else throw error;
    }
  }

  private async disturbServer(): Promise<void> {
    const weights = this.withoutExcluded(SERVER_TROUBLES);
    if (Object.keys(weights).length === 0) return;
    const trouble = this.options.random.weighted(weights);
    count(this.tally.troubles, trouble);
    // The server or database goes down in the middle of an action of the desk.
    const act = this.act();
    if (trouble === "killDatabase") this.server.killDatabase();
    else await this.server.end(trouble === "kill" ? "SIGKILL" : "SIGTERM");
    await act;
    if (trouble !== "killDatabase") await this.server.up();
    await this.retryWhileUnclear(() => this.hotel.locks());
  }

  /** Retries a query while the server or its database is unavailable. */
  private async retryWhileUnclear<T>(work: () => Promise<T>): Promise<T> {
    for (const end = Date.now() + RETRY_LIMIT_MS; ; await pause(100)) {
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof Unclear) || Date.now() > end) throw error;
      }
    }
  }

  private async tryRandomKey(): Promise<void> {
    const { random } = this.options;
    const { keys } = this.desk;
    const isChanged = this.desk.changed.length > 0 && random.chance(CHANGED_KEY_PROBABILITY);
    const key = random.pick(isChanged ? this.desk.changed : random.chance(0.7) ? keys.slice(-RECENT_KEYS) : keys);
    if (!key?.content) return;
    const ownDoors = [...key.doors];
    const door = random.pick(
      random.chance(FOREIGN_DOOR_PROBABILITY) || ownDoors.length === 0 ? this.hotel.doors : ownDoors,
    );
    if (door) await this.compare(key, door, "life");
  }

  /** Tries the newest keys of a door; silence is rare and short, so a random try would seldom meet it. */
  private async tryNewest(door: Door): Promise<void> {
    const doorKeys = this.desk.keys.filter(({ doors, content }) => content && doors.has(door));
    for (const key of doorKeys.slice(-2)) await this.compare(key, door, "life");
  }

  async compare(key: Key, door: Door, when: Lie["when"]): Promise<void> {
    const before = await this.retryWhileUnclear(() => readClaim(this.hotel.desk, key, door));
    const unreported = door.door.lock.memory.events.length > 0;
    const lockTime = door.door.lock.time;
    const isPaidFor = this.desk.isPaidFor(key, door);
    const announced = isPaidFor && (await this.retryWhileUnclear(() => isAnnounced(this.hotel.desk, key, door)));
    const opening = tryKey(key, door);
    const { opened, reason } = opening;
    if (opened) key.openings.push({ at: Date.now(), door: door.name, memories: door.resets });
    const answer = opened ? "opened" : `refused: ${reason}`;
    key.history.push(
      `${new Date().toISOString()} ${door.name}: console "${before.verdict} (${before.basis})", door ${answer}`,
    );
    if (OPENS_ONCE.has(key.kind) && opened) this.judgeSecondOpening(key, door, before, when);
    const outcome = await this.judge(key, door, { before, opening, unreported, lockTime });
    this.tally.countOutcome(when, outcome);
    // The room is shown as blocked, so the desk has been told.
    const isBlocked = before.basis === BLOCKED_OUT && reason === "blocked_out";
    if (isPaidFor && !opened && !isBlocked) this.judgePaidRefusal(key, door, { before, announced, outcome }, when);
    const isUnresolved =
      LIES_AT_REST.includes(outcome) ||
      (before.verdict === "waiting" && OPEN_STATES.includes(before.basis)) ||
      (outcome === "wrong clock" && Math.abs(door.door.lock.time - Date.now()) > MAX_CLOCK_ERROR_MS);
    if (LIES.includes(outcome) || (when === "rest" && isUnresolved))
      this.tally.addLie(outcome, when, door.name, key, before, answer);
  }

  /**
   * A guest who has paid may only be refused if the desk was told before: that the card must be written again, or that the
   * key waits for the lock. Not its fault are a lock that lost its memory, power or clock, and changes of this moment.
   */
  private judgePaidRefusal(
    key: Key,
    door: Door,
    { before, announced, outcome }: { before: Claim; announced: boolean; outcome: Outcome },
    when: Lie["when"],
  ): void {
    count(this.tally.paidRefusals, announced ? "announced" : outcome);
    if (announced || EXCUSED_REFUSALS.includes(outcome)) return;
    this.tally.addLie("refused within a paid stay, not announced", when, door.name, key, before, outcome);
  }

  /** Extends all stays, does what the console then asks the desk to do, and checks that it asks for nothing more. */
  private async followMarks(): Promise<void> {
    await this.retryWhileUnclear(() => this.desk.extendAll());
    this.tally.rewritten = await this.retryWhileUnclear(() => this.desk.writeAgain());
    await this.rest();
    for (const { door, text } of await this.retryWhileUnclear(() => this.desk.markedKeys()))
      this.tally.addLie("still marked after it was written again", "rest", door.name, null, null, text);
  }

  private async judge(key: Key, door: Door, { before, opening, unreported, lockTime }: Try): Promise<Outcome> {
    const { verdict, basis } = before;
    const { opened, reason } = opening;
    if (verdict === "may open") return opened ? "may open, opened" : "may open, refused";
    if (verdict === "unknown" && (await this.isStillUnknownWhileOnline(key, door))) return "unknown, LOCK IS ONLINE";
    if (verdict === "unknown" || verdict === "waiting") return `${verdict}, ${opened ? "opened" : "refused"}`;
    if (verdict === "opens" && (await this.isSilent(door))) return "opens, SILENT LOCK";
    if (verdict === "dead" && !opened) return "dead, refused";
    if (verdict === "opens" && opened) return "opens, opened";
    if (isExplainedByLockClock(before, opening, lockTime)) return "wrong clock";
    const after = await this.retryWhileUnclear(() => readClaim(this.hotel.desk, key, door));
    if (opened) {
      if (await this.hasTwin(key, door)) return "same digits as another key";
      if (basis === BLOCKED_OUT && after.verdict === "opens") return "changed meanwhile";
      if (basis === BLOCKED_OUT && (unreported || door.hasLostMemory)) return "block not reported yet";
      return basis === "not yet" && after.verdict === "opens" ? "changed meanwhile" : "dead, OPENED";
    }
    if (reason === "jammed" || reason === "no_power") return "motor or power gone";
    if (before.writeAgain && reason === "superseded") return "write again, refused";
    if (after.verdict !== "opens") return "changed meanwhile";
    if (OPENS_ONCE.has(key.kind) && unreported) return "use not reported yet";
    if (reason === "blocked_out" && unreported) return "block not reported yet";
    if (door.needsConnection || (door.hasLostMemory && !(await this.isSettled(door)))) {
      const { log } = door.door.lock.memory;
      const isKnownMemory = await this.retryWhileUnclear(() => this.server.knowsMemory(door.lockId, log));
      return isKnownMemory ? "memory lost, keys being sent" : "memory just lost";
    }
    return "opens, REFUSED";
  }

  private async lockOf(door: Door): Promise<LockRow | undefined> {
    const rows = await this.retryWhileUnclear(() => this.hotel.locks());
    return rows.find(({ id }) => id === door.lockId);
  }

  /** Checks whether the lock is offline and was last seen more than a day ago, so that its keys' status is unknown. */
  private async isSilent(door: Door): Promise<boolean> {
    if (!door.isSilent) return false;
    const row = await this.lockOf(door);
    return row?.online === false && row.lastSeenAt !== null && Date.now() - Date.parse(row.lastSeenAt) > DAY_MS;
  }

  /** Checks whether the console still calls the key's state unknown although the lock is online again. */
  private async isStillUnknownWhileOnline(key: Key, door: Door): Promise<boolean> {
    if (!(await this.lockOf(door))?.online) return false;
    return (await this.retryWhileUnclear(() => readClaim(this.hotel.desk, key, door))).verdict === "unknown";
  }

  /**
   * Checks whether the lock is online with no waiting commands; a lock that lost its memory then has everything again.
   */
  private async isSettled(door: Door): Promise<boolean> {
    const { online } = door.door;
    const row = await this.lockOf(door);
    const isSettled = online && row?.online === true && row.waiting === 0 && door.door.lock.memory.settings !== null;
    if (isSettled) door.hasLostMemory = false;
    return isSettled;
  }

  private async hasTwin(key: Key, door: Door): Promise<boolean> {
    if (!isCode(key)) return false;
    const twins = this.desk.keys.filter((other) => other !== key && isCode(other) && other.content === key.content);
    for (const twin of twins)
      if ((await this.retryWhileUnclear(() => readClaim(this.hotel.desk, twin, door))).verdict !== "dead") return true;
    return false;
  }

  private judgeSecondOpening(key: Key, door: Door, before: Claim, when: Lie["when"]): void {
    const [first, second] = key.openings.slice(-2);
    if (!first || !second) return;
    const afterLoss = first.memories !== second.memories;
    count(this.tally.acts, afterLoss ? `${key.kind} twice, memory lost between` : `${key.kind} TWICE`);
    if (!afterLoss) this.tally.addLie(`${key.kind} opened twice`, when, door.name, key, before, "opened");
  }

  /** Ends all troubles and waits until the console and its locks agree without help. */
  private async rest(): Promise<void> {
    await this.retryWhileUnclear(() => this.troubles.repairAll());
    const since = Date.now();
    const isAtRest = async (): Promise<boolean> => {
      const rows = await this.hotel.locks();
      for (const { id, blockedOutAt, online, waiting } of rows)
        if (blockedOutAt !== null && online && waiting === 0) await this.desk.liftBlock(id);
      const pendingRevocations = await this.hotel.desk.read<object[]>("locks.pendingRevocations");
      const silent = this.hotel.doors.every(({ door }) => door.online && door.lock.memory.events.length === 0);
      return silent && pendingRevocations.length === 0 && rows.every(isIdle);
    };
    const isResting = await waitUntil(this.options.restMs, isAtRest);
    this.tally.restSeconds = Math.round((Date.now() - since) / 1000);
    if (isResting) return;
    const rows = await this.hotel.locks();
    for (const { id, roomName, online, waiting, lastError } of rows)
      if (!online || waiting > 0)
        this.tally.addLie(
          "not at rest",
          "rest",
          roomName ?? "",
          null,
          null,
          `online ${online}, waiting ${waiting} ${lastError}; its connection: ${this.hotel.doors.find(({ lockId }) => lockId === id)?.door.connection}`,
        );
    const pendingRevocations =
      await this.hotel.desk.read<{ key: string; label: string; roomName: string; error: string }[]>(
        "locks.pendingRevocations",
      );
    for (const row of pendingRevocations) {
      const [, cardId] = row.key.split(":").map(Number);
      const key = this.desk.keys.find(
        ({ id, name, content }) => name === row.label || (id === cardId && content === row.label),
      );
      this.tally.addLie(
        "still on the list at rest",
        "rest",
        row.roomName,
        key ?? null,
        null,
        `${row.key} ${row.error}`,
      );
    }
  }

  private async sweep(): Promise<void> {
    const { random } = this.options;
    for (const key of this.desk.keys) {
      // A block-out card opens nothing, and would change what the other keys do.
      if (!key.content || key.kind === "block-out card") continue;
      const foreign = random.pick(this.hotel.doors.filter((door) => !key.doors.has(door)));
      for (const door of key.doors) await this.compare(key, door, "rest");
      if (foreign) await this.compare(key, foreign, "rest");
    }
  }

  /** Compares the events at the doors with those the console has stored. */
  private async compareEvents(): Promise<void> {
    const { doors, desk } = this.hotel;
    await waitUntil(this.options.restMs, async () => doors.every(({ door }) => door.lock.memory.events.length === 0));
    for (const door of doors) {
      const happened = eventsOf(door);
      const stored = (await this.retryWhileUnclear(() => this.server.storedEvents(door.lockId))).map(eventName);
      const names = new Set(stored);
      const missing = [...happened].filter(([name, certainty]) => certainty === "certain" && !names.has(name)).length;
      const unexpected = stored.filter((name) => !happened.has(name)).length;
      const duplicates = stored.length - names.size + unexpected;
      const recordCount = await this.countRecords(desk, door.lockId);
      const { events } = this.tally;
      events.happened += happened.size;
      events.stored += stored.length;
      events.missing += missing;
      events.duplicates += duplicates;
      if (missing + duplicates > 0 || recordCount !== stored.length)
        this.tally.addLie(
          "events",
          "rest",
          door.name,
          null,
          null,
          `happened ${happened.size}, stored ${stored.length}, shown ${recordCount}, missing ${missing}, duplicates ${duplicates}`,
        );
      if (door.openCount > door.openRequests)
        this.tally.addLie(
          "opened more often than requested",
          "rest",
          door.name,
          null,
          null,
          `${door.openCount} of ${door.openRequests}`,
        );
      this.tally.remote.requested += door.openRequests;
      this.tally.remote.opened += door.openCount;
      if (door.door.lock.memory.strangeAcks > 0)
        this.tally.addLie(
          "acknowledged an event that was never sent",
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
