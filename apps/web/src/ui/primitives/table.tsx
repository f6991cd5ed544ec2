import type { ComponentProps } from "react";
import { cn } from "@/lib/cn.ts";

/** Space in and around cells: `regular` for a card's width, `compact` inside other content, `none` if cells are filled. */
const SPACING = {
  regular: "[--cell-x:--spacing(3)] [--cell-y:--spacing(2)] [--edge-x:--spacing(5)] [--row:--spacing(11)]",
  compact: "[--cell-x:--spacing(3)] [--cell-y:--spacing(1.5)] [--edge-x:--spacing(3)] [--row:--spacing(0)]",
  none: "[--cell-x:--spacing(0)] [--cell-y:--spacing(0)] [--edge-x:--spacing(0)] [--row:--spacing(0)]",
};

type TableProps = ComponentProps<"table"> & { spacing?: keyof typeof SPACING };

/** Bare table parts, for short tables inside cards and for grids. For lists use DataTable. */
export function Table({ spacing = "regular", className, ...props }: TableProps) {
  return (
    <table
      data-slot="table"
      className={cn("w-full caption-bottom border-collapse text-start", SPACING[spacing], className)}
      {...props}
    />
  );
}

export function TableHeader(props: ComponentProps<"thead">) {
  return <thead data-slot="table-header" {...props} />;
}

type TableBodyProps = ComponentProps<"tbody"> & {
  /** `false`: rows draw lines between them themselves. */
  lines?: boolean;
};

export function TableBody({ lines = true, className, ...props }: TableBodyProps) {
  return <tbody data-slot="table-body" className={cn(lines && "[&>tr]:border-t", className)} {...props} />;
}

export function TableFooter({ className, ...props }: ComponentProps<"tfoot">) {
  return <tfoot data-slot="table-footer" className={cn("font-semibold [&>tr]:border-t-2", className)} {...props} />;
}

export function TableRow(props: ComponentProps<"tr">) {
  return <tr data-slot="table-row" {...props} />;
}

const EDGES = "px-(--cell-x) first:ps-(--edge-x) last:pe-(--edge-x)";
const CELL = `h-(--row) py-(--cell-y) align-middle ${EDGES}`;
const COLUMN_HEAD = `h-9 text-xs font-medium whitespace-nowrap text-muted-foreground ${EDGES}`;

/** Heading of a column or, with `scope`, of a row or a group of rows. */
export function TableHead({ scope = "col", className, ...props }: ComponentProps<"th">) {
  return (
    <th
      data-slot="table-head"
      scope={scope}
      className={cn("text-start", scope === "col" ? COLUMN_HEAD : cn("font-medium", CELL), className)}
      {...props}
    />
  );
}

export function TableCell({ className, ...props }: ComponentProps<"td">) {
  return <td data-slot="table-cell" className={cn(CELL, className)} {...props} />;
}

export function TableCaption({ className, ...props }: ComponentProps<"caption">) {
  return <caption data-slot="table-caption" className={cn("text-sm text-muted-foreground", className)} {...props} />;
}
