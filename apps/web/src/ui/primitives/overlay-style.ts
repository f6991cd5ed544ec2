/** Comes in under 150 ms and goes at once. */
export const fadeIn = "data-[state=open]:animate-in data-[state=open]:fade-in-0 data-[state=open]:duration-100";

/** What darkens the page behind a box that has to be answered. */
export const scrimStyle = `fixed inset-0 z-50 bg-scrim ${fadeIn}`;

/** A list or a small form that hangs from a button. */
export const floatStyle = `rounded-lg border bg-popover text-popover-foreground shadow-float ${fadeIn}`;

/** Where such a box may stand: a little below its button, and not at the screen's very edge. */
export const floatOffsets = { sideOffset: 4, collisionPadding: 8 };
