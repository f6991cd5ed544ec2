import { formatDuration, formatNumber } from "@/lib/format.ts";

const STEP = 1024;
const BYTE_UNITS = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"] as const;
const TEN = 10;

/** "48 MB", in the largest unit that leaves a whole one. */
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

/** "0.8 s", "12 s", then minutes and longer. */
export function formatSeconds(seconds: number): string {
  if (seconds >= MINUTE) return formatDuration(seconds * 1000);
  const maximumFractionDigits = seconds < TEN ? 1 : 0;
  return formatNumber(seconds, { style: "unit", unit: "second", unitDisplay: "short", maximumFractionDigits });
}
