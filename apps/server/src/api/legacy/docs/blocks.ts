/** Elements of a documentation page, independent of the output format. Backticks mark code in texts. */
export type Block =
  | { kind: "text"; text: string }
  | { kind: "list"; items: readonly string[] }
  | { kind: "table"; head: readonly string[]; rows: readonly (readonly string[])[] }
  | { kind: "label"; text: string }
  | { kind: "json"; text: string };

/** A chapter, or a call within a chapter. */
export interface Section {
  id: string;
  title: string;
  blocks: readonly Block[];
  sections: readonly Section[];
}
