import type { TemplatePreview } from "@innkey/shared/schemas/price-templates";
import type { UseQueryResult } from "@tanstack/react-query";
import { useTranslation } from "@/lib/i18n.ts";
import { ErrorState } from "@/ui/error-state.tsx";
import { Alert } from "@/ui/primitives/alert.tsx";
import { Skeleton } from "@/ui/primitives/skeleton.tsx";
import { PreviewList } from "./preview-list.tsx";

/** Shows the preview, its loading state or error, or that nothing would change. */
export function PreviewBody({ query }: { query: UseQueryResult<TemplatePreview> }) {
  const { t } = useTranslation();
  if (query.error) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  if (!query.data) return <Skeleton className="h-40" />;
  return (
    <div className="grid gap-3">
      {!query.data.rooms.some(({ changes }) => changes) && <Alert tone="info" title={t("priceTemplates.nothing")} />}
      <PreviewList preview={query.data} />
    </div>
  );
}
