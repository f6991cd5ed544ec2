import { Link } from "@tanstack/react-router";

import { t } from "@/lib/i18n.ts";
import { EmptyCorridor } from "./drawings.tsx";
import { EmptyState } from "./page-state.tsx";
import { Button } from "./primitives/button.tsx";

/** Shown inside the frame, in place of a page that doesn't exist. */
export function PageNotFound() {
  return (
    <EmptyState
      drawing={EmptyCorridor}
      title={t("shell.notFoundTitle")}
      titleAs="h1"
      description={t("shell.notFoundText")}
      action={
        <Button variant="outline" asChild>
          <Link to="/">{t("shell.toHome")}</Link>
        </Button>
      }
    />
  );
}
