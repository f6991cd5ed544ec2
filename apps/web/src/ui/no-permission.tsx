import { Lock } from "lucide-react";
import { useTranslation } from "@/lib/i18n.ts";
import { EmptyState } from "./empty-state.tsx";

/** Shown in place of a page that the operator may not see. */
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
