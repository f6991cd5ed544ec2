import { CircleAlert, type LucideIcon, RefreshCw, WifiOff } from "lucide-react";
import type { ReactNode } from "react";
import { cn } from "@/lib/cn.ts";
import { t } from "@/lib/i18n.ts";
import { useConnectionLoss } from "@/lib/loading/connection.ts";
import { type Failure, failureOf, failureText } from "@/lib/rest.ts";
import { ClosedDoor, type Drawing, EmptyCorridor } from "@/ui/drawings.tsx";
import { Button } from "@/ui/primitives/button.tsx";
import { Skeleton } from "@/ui/primitives/skeleton.tsx";

type EmptyStateProps = {
  /** A drawing of what is missing. */
  drawing?: Drawing;
  /** In place of a drawing, for what is broken rather than empty. */
  icon?: LucideIcon;
  title: ReactNode;
  /** `h1` if this is all that the page shows. */
  titleAs?: "p" | "h1";
  description?: ReactNode;
  action?: ReactNode;
  /** The head of the page has the same action, which is gold there. */
  actionIsRepeated?: boolean;
  className?: string;
};

/** Shown in place of an empty list: that there is nothing, why, and what to do about it. */
export function EmptyState({
  drawing: Drawn,
  icon: Icon,
  title,
  titleAs: Title = "p",
  description,
  action,
  actionIsRepeated,
  className,
}: EmptyStateProps) {
  return (
    <div className={cn("flex flex-col items-center px-6 py-14 text-center", className)}>
      {Drawn && <Drawn className="mb-4 h-20 text-muted-foreground/80" />}
      {Icon && (
        <span className="mb-4 grid size-12 place-items-center rounded-full border border-dashed border-input text-muted-foreground">
          <Icon aria-hidden className="size-5" strokeWidth={1.75} />
        </span>
      )}
      <Title className="text-lg font-medium">{title}</Title>
      {description && <p className="mt-1 max-w-sm text-pretty text-muted-foreground">{description}</p>}
      {action && (
        <div
          className={cn(
            "mt-5 flex flex-wrap justify-center gap-2",
            actionIsRepeated &&
              "*:data-[slot=button]:border *:data-[slot=button]:border-input *:data-[slot=button]:bg-card *:data-[slot=button]:text-foreground *:data-[slot=button]:hover:bg-hover",
          )}
        >
          {action}
        </div>
      )}
    </div>
  );
}

function pictureOf(code: Failure["code"]): Pick<EmptyStateProps, "drawing" | "icon"> {
  if (code === "no_permission" || code === "frozen") return { drawing: ClosedDoor };
  if (code === "not_found") return { drawing: EmptyCorridor };
  return { icon: code === "network" || code === "timeout" ? WifiOff : CircleAlert };
}

/** Failures of reads can't have changed anything, so the message doesn't mention it. */
function titleOf(failure: Failure): string {
  if (failure.code === "no_permission") return t("common.noPermissionTitle");
  return failure.code === "internal" ? t("common.cannotShow") : failureText(failure);
}

/** Shown in place of data that could not be loaded. */
export function ErrorState({
  error,
  lostText,
  onRetry,
  missing,
  className,
}: {
  error: unknown;
  /** Text below "no connection". */
  lostText?: string;
  onRetry?: () => void;
  /** What is said if the subject of the page doesn't exist, and a way back to the list that it was in. */
  missing?: { title: string; action: ReactNode };
  className?: string;
}) {
  const isLost = useConnectionLoss() !== null;
  const errorDetails = failureOf(error);
  // While the server is unreachable, every failed read has that cause.
  const failure: Failure =
    isLost && (errorDetails.code === "internal" || errorDetails.code === "timeout")
      ? { code: "network" }
      : errorDetails;
  const isPermanent = failure.code === "no_permission" || failure.code === "not_found" || failure.code === "frozen";
  if (failure.code === "not_found" && missing) {
    return (
      <div role="alert">
        <EmptyState
          className={className}
          drawing={EmptyCorridor}
          title={missing.title}
          titleAs="h1"
          description={failureText(failure)}
          action={missing.action}
        />
      </div>
    );
  }
  return (
    <div role="alert">
      <EmptyState
        className={className}
        {...pictureOf(failure.code)}
        title={titleOf(failure)}
        description={
          failure.code === "no_permission"
            ? failureText(failure)
            : failure.code === "network"
              ? lostText
              : failure.requestId && t("common.reference", { id: failure.requestId })
        }
        action={
          onRetry &&
          !isPermanent && (
            <Button variant="outline" onClick={onRetry}>
              <RefreshCw aria-hidden />
              {t("common.retry")}
            </Button>
          )
        }
      />
    </div>
  );
}

/** Placeholder of a page while its code and data load. */
export function PageSkeleton() {
  return (
    <div role="status" aria-label={t("common.loading")}>
      <Skeleton className="h-7 w-44" />
      <Skeleton className="mt-2 h-4 w-72" />
      <div className="mt-6 grid gap-3">
        {[0, 1, 2, 3, 4].map((row) => (
          <Skeleton key={row} className="h-14 rounded-lg" />
        ))}
      </div>
    </div>
  );
}
