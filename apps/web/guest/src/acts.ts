/** What the parts of the page ask of the page as a whole. */
export interface Acts {
  /** Reads the page anew and shows it. */
  reload(): Promise<void>;
  /** Tells screen readers what happened. */
  say(text: string): void;
  /** Says goodbye to a guest who has checked out. */
  leave(): void;
  /** Removes the guest from this browser. */
  forget(): Promise<void>;
}
