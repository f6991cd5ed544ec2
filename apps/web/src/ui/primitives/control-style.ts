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
