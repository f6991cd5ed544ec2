import { writeStored } from "../browser/stored.ts";

/** Where kept-paper.ts stores its rows. */
export const PAPER_KEY = "paperRows";

/** Deletes the rows. The login page does so too, and must not load what reads them. */
export const forgetKeptPaper = (): void => writeStored(PAPER_KEY, null);
