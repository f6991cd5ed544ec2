import { createRouter, type ErrorComponentProps, Link, useRouter } from "@tanstack/react-router";
import { SearchX } from "lucide-react";
import { useTranslation } from "@/lib/i18n.ts";
import { startOver } from "@/lib/missing-part.ts";
import { EmptyState } from "./components/empty-state.tsx";
import { ErrorState } from "./components/error-state.tsx";
import { PageSkeleton } from "./components/page-skeleton.tsx";
import { Button } from "./components/ui/button.tsx";
import { routeTree } from "./routeTree.gen.ts";

function PageError({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  return (
    <ErrorState
      error={error}
      onRetry={() => {
        reset();
        void router.invalidate();
      }}
    />
  );
}

function PageNotFound() {
  const { t } = useTranslation();
  return (
    <EmptyState
      icon={SearchX}
      title={t("shell.notFoundTitle")}
      description={t("shell.notFoundText")}
      action={
        <Button asChild>
          <Link to="/">{t("shell.toHome")}</Link>
        </Button>
      }
    />
  );
}

export const router = createRouter({
  routeTree,
  defaultPreload: "intent",
  defaultPreloadStaleTime: 0,
  defaultPendingMs: 200,
  scrollRestoration: true,
  defaultPendingComponent: PageSkeleton,
  defaultErrorComponent: PageError,
  defaultOnCatch: startOver,
  defaultNotFoundComponent: PageNotFound,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
