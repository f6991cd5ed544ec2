import type { VirtualCard } from "../virtual-card.ts";
import { judgeCard } from "./card-verdict.ts";
import { periodFault } from "./lock-memory.ts";
import { cardAtDoor } from "./presented-card.ts";
import type { VirtualLock } from "./virtual-lock.ts";

export const TRAFFIC = ["off", "normal", "busy"] as const;
export type Traffic = (typeof TRAFFIC)[number];

/**
 * Average openings per door and hour, by hour of the hotel's time zone, with peaks for breakfast, housekeeping and
 * evening.
 */
const BY_HOUR = [
  0.1, 0.05, 0.03, 0.02, 0.05, 0.2, 0.5, 1, 1.2, 1.3, 1.4, 1.2, 0.7, 0.6, 0.8, 1, 1.1, 1.2, 1.3, 1.1, 0.9, 0.8, 0.5,
  0.2,
] as const;
const PACE: Record<Traffic, number> = { off: 0, normal: 1, busy: 60 };
const HOUR_MS = 3_600_000;
const MISTAKE = 0.03;
const FROM_INSIDE = 0.35;

/** Returns the probability that the door is used within `forMs` milliseconds. */
export function chanceOf(traffic: Traffic, lock: VirtualLock, now: Date, forMs: number): number {
  const { settings } = lock.memory;
  if (!settings) return 0;
  const hour = new Intl.DateTimeFormat("en", { timeZone: settings.timeZone, hour: "numeric", hourCycle: "h23" });
  return PACE[traffic] * (BY_HOUR[Number(hour.format(now))] ?? 0) * (forMs / HOUR_MS);
}

type Act = (lock: VirtualLock) => void;

/** Simulates a visit: opening with a valid credential, leaving from inside or, now and then, entering a wrong code. */
export function visit(lock: VirtualLock, cards: readonly VirtualCard[], random: () => number): void {
  const acts = waysIn(lock, cards);
  if (random() < MISTAKE) lock.enterCode(String(Math.floor(random() * 1_000_000)).padStart(6, "0"));
  else if (random() < FROM_INSIDE) lock.openInside();
  else acts[Math.floor(random() * acts.length)]?.(lock);
}

function waysIn(lock: VirtualLock, cards: readonly VirtualCard[]): Act[] {
  const { memory, time } = lock;
  const slots = memory.slots.filter((slot) => periodFault(slot, time) === null);
  const blank = (uid: string) => ({ uid, read: () => null });
  return [
    ...cards.map(cardAtDoor).filter((card) => judgeCard(memory, card, time).reason === null),
    ...slots.flatMap(({ kind, uid = "", recordNeeded }) => (kind === "card" && !recordNeeded ? [blank(uid)] : [])),
  ]
    .map(
      (card): Act =>
        (door) =>
          void door.presentCard(card),
    )
    .concat(
      slots.flatMap(({ code }): Act[] => (code ? [(door) => void door.enterCode(code)] : [])),
      slots.flatMap(({ faceId }): Act[] => (faceId === undefined ? [] : [(door) => void door.showFace(faceId)])),
    );
}
