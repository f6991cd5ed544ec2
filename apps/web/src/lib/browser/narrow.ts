/** Media query for a screen as narrow as a phone */
export const NARROW = "(max-width: 639.98px)";
