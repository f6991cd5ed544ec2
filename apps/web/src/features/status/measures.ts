import { formatDuration, formatNumber } from "@/lib/format.ts";

const STEP = 1024;
const BYTE_UNITS = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"] as const;
const TEN = 10;

/** Returns e.g. "48 MB", in the largest unit in which the value is at least 1. */
export function formatBytes(bytes: number): string {
  let value = bytes;
  let step = 0;
  while (value >= STEP && step < BYTE_UNITS.length - 1) {
    value /= STEP;
    step += 1;
  }
  const maximumFractionDigits = value < TEN && step > 0 ? 1 : 0;
  return formatNumber(value, { style: "unit", unit: BYTE_UNITS[step], unitDisplay: "short", maximumFractionDigits });
}

const MINUTE = 60;

/** Returns e.g. "0.8 s" or "12 s"; from one minute on, a longer format. */
export function formatSeconds(seconds: number): string {
  if (seconds >= MINUTE) return formatDuration(seconds * 1000);
  const maximumFractionDigits = seconds < TEN ? 1 : 0;
  return formatNumber(seconds, { style: "unit", unit: "second", unitDisplay: "short", maximumFractionDigits });
}
