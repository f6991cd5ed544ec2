/** Battery percentages of a lock: below the first an alert opens, above the second the battery counts as good again. */
export const LOW_POWER_PERCENT = 20;
export const RESTORED_POWER_PERCENT = 25;
