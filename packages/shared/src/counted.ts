/**
 * As far as lists are counted that grow with the years; a total of just this means "at least". What is beyond is found by
 * its dates: counting all of it would cost more every year, for a number that nobody reads.
 */
export const COUNTED_TO = 10_000;
