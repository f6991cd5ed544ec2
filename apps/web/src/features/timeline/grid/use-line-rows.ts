import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { type RefObject, useCallback } from "react";
import { usePaper } from "@/lib/use-paper.ts";
import { useBox } from "@/ui/use-box.ts";
import type { TimelineLine } from "./timeline-rows.ts";
import { lineKey } from "./timeline-stops.ts";

const ROOM_PIXELS = 40;
const GROUP_PIXELS = 32;
/** What navbar and days cover at the top of the window. */
const COVERED_PIXELS = 56 + 64;

/** The lines near the screen, and where they stand. */
export function useLineRows(ref: RefObject<HTMLElement | null>, lines: readonly TimelineLine[]) {
  const { width, top } = useBox(ref);
  const getItemKey = useCallback((index: number) => (lines[index] ? lineKey(lines[index]) : index), [lines]);
  const paper = usePaper();
  const virtualizer = useWindowVirtualizer({
    count: lines.length,
    estimateSize: (index) => (lines[index]?.kind === "group" ? GROUP_PIXELS : ROOM_PIXELS),
    getItemKey,
    overscan: paper ? lines.length : 6,
    scrollMargin: top,
    scrollPaddingStart: COVERED_PIXELS,
    scrollPaddingEnd: ROOM_PIXELS * 2,
  });
  const show = useCallback((index: number) => virtualizer.scrollToIndex(index, { align: "auto" }), [virtualizer]);
  return {
    items: width === 0 ? [] : virtualizer.getVirtualItems(),
    height: virtualizer.getTotalSize(),
    offset: top,
    show,
  };
}
