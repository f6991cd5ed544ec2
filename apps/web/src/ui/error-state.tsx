import { CircleAlert, Lock, RefreshCw, SearchX, WifiOff } from "lucide-react";
import { failureOf, failureText } from "@/lib/api-error.ts";
import { type Translate, useTranslation } from "@/lib/i18n.ts";
import { useConnectionLoss } from "@/lib/loading/connection.ts";
import type { Failure } from "@/lib/rest.ts";
import { EmptyState } from "./empty-state.tsx";
import { Button } from "./primitives/button.tsx";

function iconOf(code: Failure["code"]) {
  if (code === "no_permission" || code === "frozen") return Lock;
  if (code === "not_found") return SearchX;
  return code === "network" || code === "timeout" ? WifiOff : CircleAlert;
}

/** Failures of reads can't have changed anything, so the message doesn't mention it. */
function titleOf(failure: Failure, t: Translate): string {
  if (failure.code === "no_permission") return t("common.noPermissionTitle");
  return failure.code === "internal" ? t("common.cannotShow") : failureText(failure);
}

/** Shown in place of data that could not be loaded. */
export function ErrorState({
  error,
  lostText,
  onRetry,
  className,
}: {
  error: unknown;
  /** Text below "no connection". */
  lostText?: string;
  onRetry?: () => void;
  className?: string;
}) {
  const { t } = useTranslation();
  const lost = useConnectionLoss() !== null;
  const errorDetails = failureOf(error);
  // While the server is away, that is the reason for every failed read.
  const failure: Failure =
    lost && (errorDetails.code === "internal" || errorDetails.code === "timeout") ? { code: "network" } : errorDetails;
  const hopeless = failure.code === "no_permission" || failure.code === "not_found" || failure.code === "frozen";
  return (
    <div role="alert">
      <EmptyState
        className={className}
        icon={iconOf(failure.code)}
        title={titleOf(failure, t)}
        description={
          failure.code === "no_permission"
            ? failureText(failure)
            : failure.code === "network"
              ? lostText
              : failure.requestId && t("common.reference", { id: failure.requestId })
        }
        action={
          onRetry &&
          !hopeless && (
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
