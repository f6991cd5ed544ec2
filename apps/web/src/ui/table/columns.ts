import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";

export type DataColumn<Row> = {
  /** Id of the column, and the name by which the server sorts. */
  id: string;
  header: string;
  cell: (row: Row) => ReactNode;
  /** Value that client-side sorting compares. */
  value?: (row: Row) => string | number | boolean | null;
  sortable?: boolean;
  align?: "start" | "end";
  /** Hidden until it is switched on in the column menu. */
  hidden?: boolean;
  /** Can't be hidden. */
  fixed?: boolean;
  className?: string;
  /** Place in the card on phones: the first line, a chip at its end, a labelled line (default), or none. */
  card?: "title" | "status" | "line" | "none";
};

export type RowAction<Row> = {
  label: string;
  icon?: LucideIcon;
  danger?: boolean;
  disabled?: boolean;
  /** `false`: the action navigates or needs no server, and can be chosen while the server is away. */
  needsServer?: boolean;
  onSelect: (row: Row) => void;
};

/** "name", or "-name" for descending, as in the URL. */
export type SortText = string;

export type PageState = { page: number; pageSize: number; sort?: SortText };
