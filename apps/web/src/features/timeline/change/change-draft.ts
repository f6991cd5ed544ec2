import { addDays, addUnits, atLocal } from "@innkey/shared/hotel-time";
import type { TimelineBar } from "@innkey/shared/schemas/overview/timeline";

export type StayBar = TimelineBar & { stay: NonNullable<TimelineBar["stay"]> };

/** Change that the user is making with mouse or keyboard, before the preview opens. */
export type Draft =
  /** Free nights: the first day and the day of departure. */
  | { kind: "create"; roomId: number; from: string; to: string }
  | { kind: "move"; bar: StayBar; roomId: number; days: number }
  /** Change of departure in days, or in hours for a stay by the hour. */
  | { kind: "extend"; bar: StayBar; roomId: number; steps: number };

export type Target = { roomId: number; startsAt: string; endsAt: string };
type Hotel = { timeZone: string; checkInTime: string; checkOutTime: string };

export function isStayBar(bar: TimelineBar): bar is StayBar {
  return bar.stay !== null && bar.state !== "ended";
}

/** Only a reservation can be moved in time. Of a checked-in stay, only the room and the departure can change. */
export const canShift = ({ stay }: StayBar): boolean => stay.state === "reserved";

/** Returns the room and period of a draft. */
export function targetOf(draft: Draft, hotel: Hotel): Target {
  const { roomId } = draft;
  if (draft.kind === "create") {
    const startsAt = atLocal(draft.from, hotel.checkInTime, hotel.timeZone);
    return { roomId, startsAt, endsAt: atLocal(draft.to, hotel.checkOutTime, hotel.timeZone) };
  }
  const { stay } = draft.bar;
  if (draft.kind === "move") {
    const shift = (instant: string): string => addUnits(instant, draft.days, "day", hotel.timeZone);
    return { roomId, startsAt: shift(stay.startsAt), endsAt: shift(stay.endsAt) };
  }
  const unit = stay.unit === "hour" ? "hour" : "day";
  return { roomId, startsAt: stay.startsAt, endsAt: addUnits(stay.endsAt, draft.steps, unit, hotel.timeZone) };
}

/** Returns the nights between two days in either order, at least one. */
export function nightsBetween(first: string, second: string): { from: string; to: string } {
  const [from, to] = first <= second ? [first, second] : [second, first];
  return { from, to: from === to ? addDays(from, 1) : to };
}

export function isChanged(draft: Draft): boolean {
  if (draft.kind === "create") return true;
  if (draft.kind === "extend") return draft.steps !== 0;
  return draft.days !== 0 || draft.roomId !== draft.bar.roomId;
}

/**
 * Returns the stays and maintenance periods that conflict with a draft. Only the server knows those outside the
 * displayed days.
 */
export function conflictsOf(bars: readonly TimelineBar[], draft: Draft, target: Target): TimelineBar[] {
  const ownStayId = draft.kind === "create" ? null : draft.bar.stay.stayId;
  return bars.filter(
    (bar) =>
      bar.roomId === target.roomId &&
      bar.state !== "ended" &&
      (ownStayId === null || bar.stay?.stayId !== ownStayId) &&
      bar.startsAt < target.endsAt &&
      (bar.endsAt === null || bar.endsAt > target.startsAt),
  );
}
