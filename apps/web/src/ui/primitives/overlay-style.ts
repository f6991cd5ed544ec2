/** Opens within 150 ms and closes at once. */
export const fadeIn = "data-[state=open]:animate-in data-[state=open]:fade-in-0 data-[state=open]:duration-100";

/** Darkens the page behind a modal dialog. */
export const scrimStyle = `fixed inset-0 z-50 bg-scrim ${fadeIn}`;

/** A list or small form that opens at a button. */
export const floatStyle = `rounded-lg border bg-popover text-popover-foreground shadow-float ${fadeIn}`;

/** Position of a popover: a little below its button, and never at the edge of the screen. */
export const floatOffsets = { sideOffset: 4, collisionPadding: 8 };
