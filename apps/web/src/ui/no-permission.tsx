import { Lock } from "lucide-react";
import { useTranslation } from "@/lib/i18n.ts";
import { EmptyState } from "./empty-state.tsx";

/** In place of a page for which the operator has no right. */
export function NoPermission() {
  const { t } = useTranslation();
  return (
    <div role="alert">
      <EmptyState
        icon={Lock}
        title={t("common.noPermissionTitle")}
        titleAs="h1"
        description={t("errors.no_permission")}
      />
    </div>
  );
}
