import type { Calls } from "./calls.ts";

/** What the parts of the page ask of the page as a whole. */
export interface Acts {
  /** the calls of the link that the page was drawn for */
  calls: Calls;
  /** Reads the page anew and shows it. */
  reload(): Promise<void>;
  /** Tells screen readers what happened. */
  say(text: string): void;
  /** Says goodbye to a guest who has checked out. */
  leave(): void;
  /** Removes the guest from this browser. */
  forget(): Promise<void>;
}
