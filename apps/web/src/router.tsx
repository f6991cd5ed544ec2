import { createRouter, type ErrorComponentProps, useRouter } from "@tanstack/react-router";
import { useCallback, useEffect } from "react";
import { t } from "@/lib/i18n.ts";
import { onConnectionRestored } from "@/lib/loading/connection.ts";
import { dropEarlyAnswers } from "@/lib/loading/early-calls.ts";
import { reloadIfMissing } from "@/lib/loading/missing-part.ts";
import { PageNotFound } from "@/ui/page-not-found.tsx";
import { ErrorState, PageSkeleton } from "@/ui/page-state.tsx";
import { routeTree } from "./routeTree.gen.ts";

/**
 * Shown in place of a page that failed to load. The frame stays; the page is loaded again when the connection returns.
 */
function PageError({ error }: ErrorComponentProps) {
  const router = useRouter();
  // invalidate() reloads the route's data first; rendering without it would fail again.
  const retry = useCallback(() => router.invalidate(), [router]);
  useEffect(() => onConnectionRestored(() => void retry()), [retry]);
  return <ErrorState error={error} lostText={t("shell.notLoadedText")} onRetry={() => void retry()} />;
}

export const router = createRouter({
  routeTree,
  defaultPreload: "intent",
  defaultPreloadStaleTime: 0,
  defaultPendingMs: 200,
  scrollRestoration: true,
  defaultPendingComponent: PageSkeleton,
  defaultErrorComponent: PageError,
  defaultOnCatch: (error) => void reloadIfMissing(error),
  defaultNotFoundComponent: PageNotFound,
});

const firstPath = router.history.location.pathname;
// The early answers are those of the first address. Who is sent on from there, to log in for example, comes back as
// somebody with other rights.
router.subscribe("onBeforeLoad", ({ toLocation }) => {
  if (toLocation.pathname !== firstPath) dropEarlyAnswers();
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
