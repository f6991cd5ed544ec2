/** A lock with less wants new batteries, in percent. */
export const LOW_POWER_PERCENT = 20;
