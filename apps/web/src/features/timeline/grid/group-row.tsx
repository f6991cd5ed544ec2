// biome-ignore-all lint/a11y/useFocusableInteractive: one stop of the grid at a time can have the focus, never a line itself
// biome-ignore-all lint/a11y/useSemanticElements: bars span the cells of a line, which a table's cells can't let them
import { ChevronDown, ChevronRight } from "lucide-react";
import { cn } from "@/lib/cn.ts";
import { formatNumber } from "@/lib/format.ts";
import { useTranslation } from "@/lib/i18n.ts";
import type { GroupLine } from "./timeline-rows.ts";

type GroupRowProps = {
  line: GroupLine;
  index: number;
  top: number;
  height: number;
  columns: number;
  active: boolean;
  onToggle: (groupId: number) => void;
};

/** Heading of a room group, which collapses its rooms. */
export function GroupRow({ line, index, top, height, columns, active, onToggle }: GroupRowProps) {
  const { t } = useTranslation();
  const Chevron = line.open ? ChevronDown : ChevronRight;
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      data-line={`g${line.id}`}
      className="absolute inset-x-0 flex border-b bg-sunken"
      style={{ top, height }}
    >
      <div role="gridcell" aria-colspan={columns} className="flex w-full">
        <button
          type="button"
          data-stop="group"
          tabIndex={active ? 0 : -1}
          aria-expanded={line.open}
          onClick={() => onToggle(line.id)}
          className="flex items-center gap-1.5 px-2 text-sm font-semibold focus-visible:-outline-offset-2 sm:px-3"
        >
          <Chevron aria-hidden className={cn("size-4 text-muted-foreground", !line.open && "flip-rtl")} />
          {line.name ?? t("board.noGroup")}
          <span className="font-normal text-muted-foreground">{formatNumber(line.count)}</span>
        </button>
      </div>
    </div>
  );
}
