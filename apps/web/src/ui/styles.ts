/**
 * Style that all text-like controls share, so that a row of them is aligned. 16 px on phones, because iOS zooms into
 * smaller text.
 */
export const controlStyle = [
  "w-full min-w-0 rounded-md border border-input bg-card text-lg text-foreground lg:text-base",
  "transition-[border-color,box-shadow] hover:border-foreground/50",
  "focus-visible:border-ring focus-visible:outline-2 focus-visible:-outline-offset-1 focus-visible:outline-ring",
  "disabled:cursor-not-allowed disabled:bg-sunken disabled:text-muted-foreground disabled:hover:border-input",
  "[&[readonly]]:bg-sunken",
  "aria-invalid:border-danger aria-invalid:focus-visible:outline-danger",
].join(" ");

/** A control of the usual height that opens a list. */
export const pickerStyle = `${controlStyle} flex h-10 items-center justify-between gap-2 ps-3 pe-2.5 text-start lg:h-9`;

/** Opens within 150 ms and closes at once. */
export const fadeIn = "data-[state=open]:animate-in data-[state=open]:fade-in-0 data-[state=open]:duration-100";

/** Darkens the page behind a modal dialog. */
export const scrimStyle = `fixed inset-0 z-50 bg-scrim ${fadeIn}`;

/** A list or small form that opens at a button. */
export const floatStyle = `rounded-lg border bg-popover text-popover-foreground shadow-float ${fadeIn}`;

/** Position of a popover: a little below its button, and never at the edge of the screen. */
export const floatOffsets = { sideOffset: 4, collisionPadding: 8 };

/** An item of a menu or of another list that floats above the page. */
export const itemStyle =
  "relative flex min-h-8 items-center gap-2.5 rounded-sm px-2 py-1.5 text-base outline-none select-none data-disabled:opacity-50 data-highlighted:bg-hover [&_svg]:size-4 [&_svg]:shrink-0";
