/** Percent of a battery: at or below the first operators are told, above the second it is well again. */
export const BATTERY_LOW = 15;
export const BATTERY_WELL = 25;
