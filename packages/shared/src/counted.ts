/**
 * Limit up to which ever-growing lists are counted; a total of exactly this number means "at least". Rows beyond it can
 * be found by date: counting all of them would cost more every year for a number of no use.
 */
export const COUNTED_TO = 10_000;
