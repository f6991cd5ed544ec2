import type { UnlockReason, UnlockStyle } from "../../packages/shared/src/enums.ts";
import { addDays, atLocal, type InstantIso, localDate } from "../../packages/shared/src/hotel-time.ts";
import { HOTEL } from "./hotel-plan.ts";
import type { Random } from "./random.ts";

export interface UnlockPlan {
  at: InstantIso;
  style: UnlockStyle;
  success: boolean;
  reason: UnlockReason | "";
  source: "lock" | "gateway" | "console";
  operatorId: number | null;
  stayGuestId: number | null;
}

interface Visit {
  startsAt: InstantIso;
  endsAt: InstantIso;
  stayGuestIds: readonly number[];
}

const MINUTE = 60_000;
const DAY = 86_400_000;
const DENSE_DAYS = 30;

const STYLES = [
  ["card", 74],
  ["passcode", 9],
  ["inside", 12],
  ["face", 5],
] as const satisfies readonly (readonly [UnlockStyle, number])[];

const REFUSALS = [
  { style: "card", reason: "other_door" },
  { style: "card", reason: "not_yet" },
  { style: "card", reason: "superseded" },
  { style: "passcode", reason: "unknown" },
] as const satisfies readonly Pick<UnlockPlan, "style" | "reason">[];

export interface Staff {
  housekeeperId: number;
  deskId: number;
}

/**
 * Plans the events of a room's lock over a stay: several per day recently, only the arrival and a few more long ago.
 */
export function planUnlocks(random: Random, visit: Visit, staff: Staff, now: InstantIso): UnlockPlan[] {
  const start = Date.parse(visit.startsAt);
  const end = Math.min(Date.parse(visit.endsAt), Date.parse(now));
  const dense = end > Date.parse(now) - DENSE_DAYS * DAY;
  const perDay = dense ? random.int(5, 9) : 2;
  const count = Math.max(2, Math.round(((end - start) / DAY) * perDay));
  const events: UnlockPlan[] = [guestUnlock(random, start + random.int(3, 14) * MINUTE, visit, "card")];
  for (let i = 1; i < count; i += 1) {
    const at = start + Math.floor(random.next() * (end - start));
    const hour = new Date(at).getUTCHours();
    if (hour >= 1 && hour < 5 && random.chance(0.9)) continue;
    events.push(guestUnlock(random, at, visit, random.weighted(STYLES)));
    if (random.chance(0.03)) events.push({ ...refusal(random, at - random.int(4, 40) * 1000), stayGuestId: null });
  }
  if (dense) events.push(...housekeeping(random, visit, staff));
  return events.filter(({ at }) => at >= visit.startsAt && at < new Date(end).toISOString());
}

function event(at: number, style: UnlockStyle): UnlockPlan {
  const instant = new Date(at).toISOString();
  return { at: instant, style, success: true, reason: "", source: "lock", operatorId: null, stayGuestId: null };
}

function guestUnlock(random: Random, at: number, visit: Visit, style: UnlockStyle): UnlockPlan {
  const identified = style !== "inside" && visit.stayGuestIds.length > 0;
  return { ...event(at, style), stayGuestId: identified ? random.pick(visit.stayGuestIds) : null };
}

function refusal(random: Random, at: number): UnlockPlan {
  const { style, reason } = random.pick(REFUSALS);
  return { ...event(at, style), success: false, reason };
}

/** Late in the morning of each day except the first; now and then the desk opens a door from the console. */
function housekeeping(random: Random, visit: Visit, { housekeeperId, deskId }: Staff): UnlockPlan[] {
  const events: UnlockPlan[] = [];
  const last = localDate(visit.endsAt, HOTEL.timeZone);
  for (let date = addDays(localDate(visit.startsAt, HOTEL.timeZone), 1); date <= last; date = addDays(date, 1)) {
    const at = Date.parse(atLocal(date, "09:40", HOTEL.timeZone)) + random.int(0, 150) * MINUTE;
    events.push({ ...event(at, "card"), operatorId: housekeeperId });
    if (random.chance(0.04)) {
      events.push({ ...event(at + random.int(90, 400) * MINUTE, "remote"), source: "console", operatorId: deskId });
    }
  }
  return events;
}
