import type { TimelineBar } from "@innkey/shared/schemas/overview/timeline";
import { type FocusEvent, type KeyboardEvent, type RefObject, useEffect, useRef, useState } from "react";
import { language } from "@/lib/i18n.ts";
import { isStayBar } from "../change/change-draft.ts";
import type { TimeScale } from "./time-scale.ts";
import type { TimelineLine } from "./timeline-rows.ts";
import { barKey, lineKey, type Stop, stopNear, stopsOf } from "./timeline-stops.ts";

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

  function go(index: number, next: Stop | undefined): void {
    const line = lines[index];
    if (!line || !next) return;
    focusRequested.current = true;
    setActive({ line: lineKey(line), key: next.key });
    show(index);
  }

  function along(next: Stop | undefined): void {
    if (next) focusedDay.current = next.at;
    go(at, next);
  }

  function across(index: number): void {
    const line = Math.max(0, Math.min(index, lines.length - 1));
    focusedDay.current ??= stop?.at ?? 0;
    go(line, stopNear(stopsAt(line), focusedDay.current));
  }

  function walkOf({ key, ctrlKey }: KeyboardEvent): (() => void) | undefined {
    const index = stops.findIndex((one) => one.key === stop?.key);
    const walks = new Map<string, () => void>([
      [LATER, () => along(stops[index + 1])],
      [EARLIER, () => along(stops[index - 1])],
      ["ArrowDown", () => across(at + 1)],
      ["ArrowUp", () => across(at - 1)],
      ["Home", () => (ctrlKey ? across(0) : along(stops[0]))],
      ["End", () => (ctrlKey ? across(lines.length - 1) : along(stops.at(-1)))],
      ["PageDown", () => onPage(1)],
      ["PageUp", () => onPage(-1)],
    ]);
    return walks.get(key);
  }

  function actOf({ key, shiftKey, ctrlKey, metaKey, altKey }: KeyboardEvent): (() => void) | undefined {
    const line = lines[at];
    if (line?.kind !== "room" || !stop || !canManage || ctrlKey || metaKey || altKey) return undefined;
    const bar = line.bars.find((one) => barKey(one) === stop.key);
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
    onKeyDown(event: KeyboardEvent<HTMLElement>): void {
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
