/** What a page of documentation consists of, whatever it is written in. `code` stands between backticks in texts. */
export type Block =
  | { kind: "text"; text: string }
  | { kind: "list"; items: readonly string[] }
  | { kind: "table"; head: readonly string[]; rows: readonly (readonly string[])[] }
  | { kind: "label"; text: string }
  | { kind: "json"; text: string };

/** A chapter, or a call within one. */
export interface Section {
  id: string;
  title: string;
  blocks: readonly Block[];
  sections: readonly Section[];
}
