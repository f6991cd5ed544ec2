import { createRootRoute, type ErrorComponentProps, Outlet, useRouter } from "@tanstack/react-router";
import { Suspense } from "react";
import { redirectIfNotAllowed } from "@/features/account/login/guard.ts";
import { lazyPart } from "@/lib/loading/app-lazy.ts";
import { useDocumentTitle } from "@/lib/page-title.ts";
import { useToasterRequested } from "@/lib/toast.ts";
import { ConnectionBar } from "@/shell/connection-bar.tsx";
import { ConfirmHost } from "@/ui/dialog/confirm-host.tsx";
import { ErrorState } from "@/ui/page-state.tsx";

const Toaster = lazyPart(async () => ({ default: (await import("@/ui/primitives/sonner.tsx")).Toaster }));

export const Route = createRootRoute({
  beforeLoad: ({ location }) => redirectIfNotAllowed(location),
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
  return (
    <main className="grid min-h-dvh place-items-center">
      <ErrorState error={error} onRetry={() => void router.invalidate()} />
    </main>
  );
}
