/** Percent of a lock's battery: below the first it wants new ones and operators hear of it, above the second it is well again. */
export const LOW_POWER_PERCENT = 20;
export const RESTORED_POWER_PERCENT = 25;
