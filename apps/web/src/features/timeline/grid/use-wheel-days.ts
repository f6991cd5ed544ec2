import { type RefObject, useEffect } from "react";
import { language } from "@/lib/i18n.ts";

/** So far sideways is one day. */
const DAY_PIXELS = 60;

/** Turning the wheel sideways, or with Shift, goes through the days. */
export function useWheelDays(ref: RefObject<HTMLElement | null>, onDays: (days: number) => void): void {
  useEffect(() => {
    const element = ref.current;
    if (!element) return;
    let turned = 0;
    const turn = (event: WheelEvent): void => {
      const sideways =
        Math.abs(event.deltaX) > Math.abs(event.deltaY) ? event.deltaX : event.shiftKey ? event.deltaY : 0;
      if (sideways === 0) return;
      event.preventDefault();
      turned += language.dir === "rtl" ? -sideways : sideways;
      const days = Math.trunc(turned / DAY_PIXELS);
      if (days === 0) return;
      turned -= days * DAY_PIXELS;
      onDays(days);
    };
    element.addEventListener("wheel", turn, { passive: false });
    return () => element.removeEventListener("wheel", turn);
  }, [ref, onDays]);
}
