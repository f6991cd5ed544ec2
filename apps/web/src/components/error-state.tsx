import { CircleAlert, Lock, RefreshCw, SearchX, WifiOff } from "lucide-react";
import { type Failure, failureOf, failureText } from "@/lib/api-error.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { EmptyState } from "./empty-state.tsx";
import { Button } from "./ui/button.tsx";

function iconOf(code: Failure["code"]) {
  if (code === "no_permission" || code === "frozen") return Lock;
  if (code === "not_found") return SearchX;
  return code === "network" || code === "timeout" ? WifiOff : CircleAlert;
}

/** What stands in place of data that could not be loaded. */
export function ErrorState({
  error,
  onRetry,
  className,
}: {
  error: unknown;
  onRetry?: () => void;
  className?: string;
}) {
  const { t } = useTranslation();
  const failure = failureOf(error);
  const hopeless = failure.code === "no_permission" || failure.code === "not_found" || failure.code === "frozen";
  return (
    <div role="alert">
      <EmptyState
        className={className}
        icon={iconOf(failure.code)}
        title={failure.code === "no_permission" ? t("common.noPermissionTitle") : failureText(failure)}
        description={
          failure.code === "no_permission"
            ? failureText(failure)
            : failure.requestId && t("common.reference", { id: failure.requestId })
        }
        action={
          onRetry &&
          !hopeless && (
            <Button onClick={onRetry}>
              <RefreshCw aria-hidden />
              {t("common.retry")}
            </Button>
          )
        }
      />
    </div>
  );
}
