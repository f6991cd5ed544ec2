import { cva, type VariantProps } from "class-variance-authority";
import {
  BedDouble,
  CalendarClock,
  CircleAlert,
  CircleCheck,
  CircleDashed,
  Clock,
  Info,
  type LucideIcon,
  Paintbrush,
  Wrench,
} from "lucide-react";
import type { ReactNode } from "react";
import { cn } from "@/lib/cn.ts";

const chip = cva("inline-flex max-w-full items-center gap-1.5 rounded-full font-medium whitespace-nowrap", {
  variants: {
    tone: {
      vacant: "bg-vacant-soft text-vacant",
      reserved: "bg-reserved-soft text-reserved",
      checkedIn: "bg-checked-in-soft text-checked-in",
      dirty: "bg-dirty-soft text-dirty",
      maintenance: "bg-maintenance-soft text-maintenance",
      expired: "bg-expired-soft text-expired",
      danger: "bg-danger-soft text-danger",
      success: "bg-vacant-soft text-vacant",
      info: "bg-checked-in-soft text-checked-in",
      neutral: "bg-maintenance-soft text-maintenance",
    },
    size: {
      /** Where there is no room for the word: screen readers and paper have it. */
      icon: "size-5 shrink-0 justify-center text-xs print:size-auto print:px-2",
      sm: "h-5 px-2 text-xs",
      /** Where the word may have no room: it is then left out, as its beginning alone says nothing. */
      fit: "h-5 min-w-0 flex-wrap content-start justify-end overflow-hidden text-xs print:h-auto print:overflow-visible",
      md: "h-6 px-2.5 text-sm",
    },
  },
  defaultVariants: { size: "md" },
});

export type StatusTone = NonNullable<VariantProps<typeof chip>["tone"]>;

export const STATUS_ICONS: Record<StatusTone, LucideIcon> = {
  vacant: CircleCheck,
  reserved: CalendarClock,
  checkedIn: BedDouble,
  dirty: Paintbrush,
  maintenance: Wrench,
  expired: Clock,
  danger: CircleAlert,
  success: CircleCheck,
  info: Info,
  neutral: CircleDashed,
};

const ICON_SIZES = { icon: "size-3.5", sm: "size-3", fit: "h-5 w-3", md: "size-3.5" } as const;

const LABEL_STYLES = { icon: "sr-only print:not-sr-only", sm: "truncate", fit: "leading-5", md: "truncate" } as const;

/** Shows a state by hue, icon and word together; of the sizes `icon` and `fit`, the word appears on hover. */
export function StatusChip({
  tone,
  icon,
  size,
  className,
  children,
}: {
  tone: StatusTone;
  icon?: LucideIcon;
  size?: "icon" | "sm" | "fit" | "md";
  className?: string;
  children: ReactNode;
}) {
  const Icon = icon ?? STATUS_ICONS[tone];
  return (
    <span
      title={(size === "icon" || size === "fit") && typeof children === "string" ? children : undefined}
      className={cn(chip({ tone, size }), className)}
    >
      <Icon aria-hidden className={cn("shrink-0", ICON_SIZES[size ?? "md"])} strokeWidth={2.25} />
      <span className={LABEL_STYLES[size ?? "md"]}>{children}</span>
    </span>
  );
}
