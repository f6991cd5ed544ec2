import type { Timeline, TimelineBar } from "@innkey/shared/schemas/overview/timeline";
import {
  type FocusEvent,
  type PointerEvent,
  type KeyboardEvent as ReactKeyboardEvent,
  type RefObject,
  useEffect,
  useRef,
  useState,
} from "react";
import { language } from "@/lib/i18n.ts";
import { canShift, type Draft, isStayBar, nightsBetween } from "../change/change-draft.ts";
import { barKey, lineKey, type Stop, stopNear, stopsOf, type TimeScale } from "./grid-position.ts";
import type { TimelineLine } from "./timeline-rows.ts";

/** Smaller movements, in pixels, count as a click. */
const CLICK_PIXELS = 4;
/** Distance from the window's edge within which dragging scrolls the page, in pixels. */
const EDGE_PIXELS = 72;
const SCROLL_PIXELS = 14;

type Drawing = { pointerId: number; x: number; y: number; startDay: number; hasStarted: boolean; draft: Draft };

type DrawOptions = {
  timeline: Timeline;
  today: string;
  canManage: boolean;
  onDraft: (draft: Draft | null) => void;
  onDrop: (draft: Draft) => void;
};

/**
 * Handles drawing with a mouse or pen: new nights over free cells, a bar to another room or day, or the end of a bar.
 * Touch is left to scrolling; the menu of a bar offers the same actions.
 */
export function useDraw({ timeline, today, canManage, onDraft, onDrop }: DrawOptions) {
  const drawing = useRef<Drawing | null>(null);
  const dates = timeline.days.map(({ date }) => date);

  useEffect(() => {
    const stop = (event: KeyboardEvent): void => {
      if (event.key !== "Escape" || !drawing.current?.hasStarted) return;
      event.preventDefault();
      drawing.current = null;
      onDraft(null);
    };
    document.addEventListener("keydown", stop, { capture: true });
    return () => document.removeEventListener("keydown", stop, { capture: true });
  }, [onDraft]);

  /** Returns a position in days from the first displayed one, in left-to-right and right-to-left layouts. */
  function dayAt(grid: HTMLElement, x: number): number {
    const area = grid.querySelector("[data-days]")?.getBoundingClientRect();
    if (!area) return 0;
    const moveInLine = language.dir === "rtl" ? area.right - x : x - area.left;
    return (moveInLine / area.width) * dates.length;
  }

  function dateAt(day: number): string {
    return dates[Math.max(0, Math.min(dates.length - 1, Math.floor(day)))] ?? today;
  }

  function begin(target: HTMLElement, day: number): Draft | null {
    const roomId = Number(target.closest<HTMLElement>("[data-room]")?.dataset.room);
    if (!roomId || !target.closest("[data-days]")) return null;
    const id = target.closest<HTMLElement>("[data-bar]")?.dataset.bar;
    if (id === undefined) {
      const date = dateAt(day);
      return date >= today && target.dataset.stop ? { kind: "create", roomId, ...nightsBetween(date, date) } : null;
    }
    const bar = timeline.bars.find(({ occupancyId }) => String(occupancyId) === id);
    if (!bar || !isStayBar(bar)) return null;
    if (target.dataset.edge !== undefined) return { kind: "extend", bar, roomId, steps: 0 };
    return { kind: "move", bar, roomId, days: 0 };
  }

  function draftAt({ draft, startDay }: Drawing, day: number, x: number, y: number): Draft {
    if (draft.kind === "create") {
      const other = dateAt(day);
      return { ...draft, ...nightsBetween(dateAt(startDay), other < today ? today : other) };
    }
    const movedDays = day - startDay;
    if (draft.kind === "extend") {
      return { ...draft, steps: Math.round(draft.bar.stay.unit === "hour" ? movedDays * 24 : movedDays) };
    }
    const under = document.elementFromPoint(x, y)?.closest<HTMLElement>("[data-room]")?.dataset.room;
    return {
      ...draft,
      roomId: under === undefined ? draft.roomId : Number(under),
      days: canShift(draft.bar) ? Math.round(movedDays) : 0,
    };
  }

  return {
    onPointerDown(event: PointerEvent<HTMLElement>): void {
      if (!canManage || event.pointerType === "touch" || event.button !== 0) return;
      const day = dayAt(event.currentTarget, event.clientX);
      const draft = event.target instanceof HTMLElement ? begin(event.target, day) : null;
      if (!draft) return;
      const { pointerId, clientX: x, clientY: y } = event;
      drawing.current = { pointerId, x, y, startDay: day, hasStarted: false, draft };
    },
    onPointerMove(event: PointerEvent<HTMLElement>): void {
      const now = drawing.current;
      if (!now || now.pointerId !== event.pointerId) return;
      const distance = Math.abs(event.clientX - now.x) + Math.abs(event.clientY - now.y);
      if (!now.hasStarted && distance < CLICK_PIXELS) return;
      if (!now.hasStarted) event.currentTarget.setPointerCapture(event.pointerId);
      const draft = draftAt(now, dayAt(event.currentTarget, event.clientX), event.clientX, event.clientY);
      drawing.current = { ...now, hasStarted: true, draft: draft.kind === "create" ? now.draft : draft };
      scrollNear(event.clientY);
      onDraft(draft);
    },
    onPointerUp(event: PointerEvent<HTMLElement>): void {
      const now = drawing.current;
      drawing.current = null;
      if (!now?.hasStarted) return;
      onDrop(draftAt(now, dayAt(event.currentTarget, event.clientX), event.clientX, event.clientY));
    },
    onPointerCancel(): void {
      drawing.current = null;
      onDraft(null);
    },
  };
}

function scrollNear(y: number): void {
  if (y < EDGE_PIXELS * 2) window.scrollBy(0, -SCROLL_PIXELS);
  else if (y > window.innerHeight - EDGE_PIXELS) window.scrollBy(0, SCROLL_PIXELS);
}

type GridKeysOptions = {
  lines: readonly TimelineLine[];
  dates: readonly string[];
  scale: TimeScale;
  now: number;
  today: string;
  canManage: boolean;
  body: RefObject<HTMLElement | null>;
  /** Scrolls a line into view. */
  show: (index: number) => void;
  onMode: (bar: TimelineBar, mode: "move" | "extend") => void;
  onStretch: (roomId: number, date: string) => void;
  onCell: (roomId: number, date: string) => void;
  onPage: (direction: 1 | -1) => void;
};

const rtl = language.dir === "rtl";
/** Arrow keys in the direction of time. */
export const LATER = rtl ? "ArrowLeft" : "ArrowRight";
export const EARLIER = rtl ? "ArrowRight" : "ArrowLeft";

/**
 * Handles the keys of the grid. One stop is in the tab order; arrow keys move between nights and bars, and letters
 * trigger actions.
 */
export function useGridKeys(options: GridKeysOptions) {
  const { lines, dates, scale, now, today, canManage, body, show, onMode, onStretch, onCell, onPage } = options;
  const focusRequested = useRef(false);
  /** Position in days that stays the same while the focus moves between lines. */
  const focusedDay = useRef<number | null>(null);
  const [active, setActive] = useState<{ line: string; key: string } | null>(null);
  const stopsAt = (index: number): Stop[] => (lines[index] ? stopsOf(lines[index], dates, scale, now) : []);

  const lineIndex = lines.findIndex((line) => lineKey(line) === active?.line);
  const at = Math.max(lineIndex, 0);
  const stops = stopsAt(at);
  const activeStop = lineIndex === at ? stops.find(({ key }) => key === active?.key) : undefined;
  const stop = activeStop ?? stopNear(stops, focusedDay.current ?? 0);

  useEffect(() => {
    if (!focusRequested.current || !active) return;
    const line = body.current?.querySelector(`[data-line="${active.line}"]`);
    const element = line?.querySelector<HTMLElement>(`[data-stop="${active.key}"]`);
    if (!element) return;
    focusRequested.current = false;
    element.focus({ preventScroll: true });
  });

  function focusStop(index: number, next: Stop | undefined): void {
    const line = lines[index];
    if (!line || !next) return;
    focusRequested.current = true;
    setActive({ line: lineKey(line), key: next.key });
    show(index);
  }

  function moveInLine(next: Stop | undefined): void {
    if (next) focusedDay.current = next.at;
    focusStop(at, next);
  }

  function moveToLine(index: number): void {
    const line = Math.max(0, Math.min(index, lines.length - 1));
    focusedDay.current ??= stop?.at ?? 0;
    focusStop(line, stopNear(stopsAt(line), focusedDay.current));
  }

  function walkOf({ key, ctrlKey }: ReactKeyboardEvent): (() => void) | undefined {
    const index = stops.findIndex((candidate) => candidate.key === stop?.key);
    const walks = new Map<string, () => void>([
      [LATER, () => moveInLine(stops[index + 1])],
      [EARLIER, () => moveInLine(stops[index - 1])],
      ["ArrowDown", () => moveToLine(at + 1)],
      ["ArrowUp", () => moveToLine(at - 1)],
      ["Home", () => (ctrlKey ? moveToLine(0) : moveInLine(stops[0]))],
      ["End", () => (ctrlKey ? moveToLine(lines.length - 1) : moveInLine(stops.at(-1)))],
      ["PageDown", () => onPage(1)],
      ["PageUp", () => onPage(-1)],
    ]);
    return walks.get(key);
  }

  function actOf({ key, shiftKey, ctrlKey, metaKey, altKey }: ReactKeyboardEvent): (() => void) | undefined {
    const line = lines[at];
    if (line?.kind !== "room" || !stop || !canManage || ctrlKey || metaKey || altKey) return undefined;
    const bar = line.bars.find((candidate) => barKey(candidate) === stop.key);
    if (bar) {
      const mode = { m: "move" as const, e: "extend" as const }[key.toLowerCase()];
      return mode && isStayBar(bar) ? () => onMode(bar, mode) : undefined;
    }
    const date = stop.key.slice("cell:".length);
    if (key === "Enter" || key === " ") return () => onCell(line.room.id, date);
    return shiftKey && key === LATER && date >= today ? () => onStretch(line.room.id, date) : undefined;
  }

  return {
    at,
    stop,
    onKeyDown(event: ReactKeyboardEvent<HTMLElement>): void {
      if (event.defaultPrevented || !(event.target instanceof HTMLElement) || !event.target.dataset.stop) return;
      const act = actOf(event) ?? walkOf(event);
      if (!act) return;
      event.preventDefault();
      act();
    },
    onFocus({ target }: FocusEvent<HTMLElement>): void {
      const line = target.closest<HTMLElement>("[data-line]")?.dataset.line;
      const key = target.dataset.stop;
      if (line && key && (line !== active?.line || key !== active.key)) setActive({ line, key });
    },
  };
}
