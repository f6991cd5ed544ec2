import { Lock } from "lucide-react";
import { useTranslation } from "@/lib/i18n.ts";
import { EmptyState } from "./empty-state.tsx";

/** In place of a page that isn't asked for, as the server would refuse it. */
export function NoPermission() {
  const { t } = useTranslation();
  return (
    <div role="alert">
      <EmptyState icon={Lock} title={t("common.noPermissionTitle")} description={t("errors.no_permission")} />
    </div>
  );
}
