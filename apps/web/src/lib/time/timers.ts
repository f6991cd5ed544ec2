import { useEffect, useMemo, useState } from "react";
import { useHotel } from "@/lib/session.ts";
import { nextMidnight } from "./hotel-clock.ts";

const MINUTE = 60_000;
const MAX_TIMER = 2_147_483_647;

/** Returns the current time in milliseconds, updated once a minute on the minute. */
export function useNow(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setTimeout(() => setNow(Date.now()), MINUTE - (now % MINUTE) + 50);
    return () => clearTimeout(timer);
  }, [now]);
  return now;
}

export type HotelClock = {
  now: number;
  /** The hotel's next midnight. */
  endOfToday: number;
};

export function useHotelClock(): HotelClock {
  const { timeZone } = useHotel();
  const now = useNow();
  return useMemo(() => ({ now, endOfToday: nextMidnight(now, timeZone) }), [now, timeZone]);
}

/** Calls back at an instant, for changes that only time causes. */
export function useAt(instant: string | null | undefined, callback: () => void): void {
  useEffect(() => {
    if (!instant) return;
    const wait = Math.max(0, Date.parse(instant) - Date.now()) + 500;
    if (wait > MAX_TIMER) return;
    const timer = setTimeout(callback, wait);
    return () => clearTimeout(timer);
  }, [instant, callback]);
}

/** Returns `value` once it has been stable for a while. Values are compared by content, so pass plain data. */
export function useDebounced<Value>(value: Value, delayMilliseconds = 250): Value {
  const [stableValue, setStableValue] = useState(value);
  const text = JSON.stringify(value);
  useEffect(() => {
    const timer = setTimeout(() => setStableValue(JSON.parse(text) as Value), delayMilliseconds);
    return () => clearTimeout(timer);
  }, [text, delayMilliseconds]);
  return stableValue;
}
