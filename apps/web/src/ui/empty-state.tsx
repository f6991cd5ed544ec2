import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { cn } from "@/lib/cn.ts";

type EmptyStateProps = {
  icon?: LucideIcon;
  title: ReactNode;
  /** `h1` if this is all that the page shows. */
  titleAs?: "p" | "h1";
  description?: ReactNode;
  action?: ReactNode;
  className?: string;
};

/** Says that there is nothing, why, and what to do about it. */
export function EmptyState({
  icon: Icon,
  title,
  titleAs: Title = "p",
  description,
  action,
  className,
}: EmptyStateProps) {
  return (
    <div className={cn("flex flex-col items-center px-6 py-14 text-center", className)}>
      {Icon && (
        <span className="mb-4 grid size-12 place-items-center rounded-full border border-dashed border-input text-muted-foreground">
          <Icon aria-hidden className="size-5" strokeWidth={1.75} />
        </span>
      )}
      <Title className="text-lg font-medium">{title}</Title>
      {description && <p className="mt-1 max-w-sm text-pretty text-muted-foreground">{description}</p>}
      {action && <div className="mt-5 flex gap-2">{action}</div>}
    </div>
  );
}
