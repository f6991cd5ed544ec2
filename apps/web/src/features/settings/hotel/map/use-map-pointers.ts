import { type PointerEvent, useRef } from "react";
import { type Point, panned, type Size, type View, zoomed } from "./projection.ts";

/** Movement in pixels below which a touch counts as a tap. */
const TAP = 6;

type PointersInput = {
  size: Size | null;
  change: (next: (view: View) => View) => void;
  onTap: (at: Point) => void;
};

/** Handles mouse, pen and touch on the map: one pointer drags it, two zoom it, and a tap sets the pin. */
export function useMapPointers({ size, change, onTap }: PointersInput) {
  const pointers = useRef(new Map<number, Point>());
  const travelled = useRef(0);

  function pointOf(event: PointerEvent<HTMLElement>): Point {
    const box = event.currentTarget.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  }

  return {
    onPointerDown(event: PointerEvent<HTMLElement>): void {
      if (event.button !== 0) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      if (pointers.current.size === 0) travelled.current = 0;
      pointers.current.set(event.pointerId, pointOf(event));
      if (pointers.current.size > 1) travelled.current = TAP;
    },
    onPointerMove(event: PointerEvent<HTMLElement>): void {
      const before = pointers.current.get(event.pointerId);
      if (!before || !size) return;
      const now = pointOf(event);
      const other = [...pointers.current].find(([id]) => id !== event.pointerId)?.[1];
      pointers.current.set(event.pointerId, now);
      const by = { x: now.x - before.x, y: now.y - before.y };
      travelled.current += Math.hypot(by.x, by.y);
      if (other) {
        const factor = distance(now, other) / Math.max(1, distance(before, other));
        const middle = { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 };
        change((view) => panned(zoomed(view, size, factor, middle), size, { x: by.x / 2, y: by.y / 2 }));
      } else if (travelled.current >= TAP) change((view) => panned(view, size, by));
    },
    onPointerUp(event: PointerEvent<HTMLElement>): void {
      if (!pointers.current.delete(event.pointerId)) return;
      if (pointers.current.size === 0 && travelled.current < TAP) onTap(pointOf(event));
    },
    onPointerCancel(event: PointerEvent<HTMLElement>): void {
      pointers.current.delete(event.pointerId);
    },
  };
}

const distance = (a: Point, b: Point): number => Math.hypot(a.x - b.x, a.y - b.y);
