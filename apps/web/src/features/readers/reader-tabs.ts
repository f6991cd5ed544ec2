export const READER_TABS = ["card", "block"] as const;
export type ReaderTab = (typeof READER_TABS)[number];
