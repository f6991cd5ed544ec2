import { createRootRoute, type ErrorComponentProps, Outlet, useRouter } from "@tanstack/react-router";
import { lazy, Suspense, useCallback, useEffect } from "react";
import { redirectIfNotAllowed } from "@/features/account/login/guard.ts";
import { lazyPart } from "@/lib/loading/app-lazy.ts";
import { onConnectionRestored } from "@/lib/loading/connection.ts";
import { useDocumentTitle } from "@/lib/page-title.ts";
import { failureOf } from "@/lib/rest.ts";
import { useToasterRequested } from "@/lib/toast.ts";
import { ConnectionBar } from "@/shell/connection-bar.tsx";
import { ConfirmHost } from "@/ui/dialog/confirm-host.tsx";
import { ErrorState } from "@/ui/page-state.tsx";

const Toaster = lazyPart(async () => ({ default: (await import("@/ui/primitives/sonner.tsx")).Toaster }));

const KeptBoardPage = lazy(() => import("@/features/board/kept-board-page.tsx"));

export const Route = createRootRoute({
  beforeLoad: ({ location }) => redirectIfNotAllowed(location),
  // Until the session is known, the frame of index.html stays.
  pendingMs: Number.POSITIVE_INFINITY,
  component: Root,
  errorComponent: RootError,
});

function Root() {
  useDocumentTitle();
  const toaster = useToasterRequested();
  return (
    <>
      <ConnectionBar />
      <Outlet />
      <ConfirmHost />
      {toaster && (
        <Suspense>
          <Toaster />
        </Suspense>
      )}
    </>
  );
}

function RootError({ error }: ErrorComponentProps) {
  const router = useRouter();
  const retry = useCallback(() => router.invalidate(), [router]);
  useEffect(() => onConnectionRestored(() => void retry()), [retry]);
  const message = (
    <main className="grid min-h-dvh place-items-center">
      <ErrorState error={error} onRetry={() => void retry()} />
    </main>
  );
  const { code } = failureOf(error);
  if (code !== "network" && code !== "timeout") return message;
  return (
    <Suspense>
      <KeptBoardPage onRetry={() => void retry()} fallback={message} />
    </Suspense>
  );
}
