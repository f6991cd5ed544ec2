/** Media query for a screen as narrow as a phone; by itself, because the page's first script loads no React. */
export const NARROW = "(max-width: 639.98px)";
