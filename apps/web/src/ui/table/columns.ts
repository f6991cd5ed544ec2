import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";

export type DataColumn<Row> = {
  /** Also the name it is sorted by on the server. */
  id: string;
  header: string;
  cell: (row: Row) => ReactNode;
  /** What client-side sorting compares. */
  value?: (row: Row) => string | number | boolean | null;
  sortable?: boolean;
  align?: "start" | "end";
  /** Off until switched on in the column menu. */
  hidden?: boolean;
  /** Can't be switched off. */
  fixed?: boolean;
  className?: string;
  /** On phones: the card's first line, a chip at its end, a labelled line (default), or nothing. */
  card?: "title" | "status" | "line" | "none";
};

export type RowAction<Row> = {
  label: string;
  icon?: LucideIcon;
  danger?: boolean;
  disabled?: boolean;
  /** `false`: it leads somewhere or needs no server, and can be chosen while the server is away. */
  needsServer?: boolean;
  onSelect: (row: Row) => void;
};

/** "name" or, descending, "-name"; as it stands in the URL. */
export type SortText = string;

export type PageState = { page: number; pageSize: number; sort?: SortText };
