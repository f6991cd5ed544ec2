import type { Capability } from "@innkey/shared/capabilities";

import type { ReactNode } from "react";
import { t } from "@/lib/i18n.ts";
import { useCan } from "@/lib/session.ts";
import { ClosedDoor } from "./drawings.tsx";
import { EmptyState } from "./page-state.tsx";

/**
 * Shows its children to operators with the capability. The server enforces permissions; this only saves a useless
 * click.
 */
export function Can({
  capability,
  fallback = null,
  children,
}: {
  capability: Capability;
  fallback?: ReactNode;
  children: ReactNode;
}) {
  return useCan()(capability) ? children : fallback;
}

/** Shown in place of a page that the operator may not see. */
export function NoPermission() {
  return (
    <div role="alert">
      <EmptyState
        drawing={ClosedDoor}
        title={t("common.noPermissionTitle")}
        titleAs="h1"
        description={t("common.noPermissionText")}
      />
    </div>
  );
}
