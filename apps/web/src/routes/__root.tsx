import { createRootRoute, type ErrorComponentProps, Outlet, useRouter } from "@tanstack/react-router";
import { Suspense } from "react";
import { ConfirmHost } from "@/components/confirm.tsx";
import { ErrorState } from "@/components/error-state.tsx";
import { ConnectionBar } from "@/components/shell/connection-bar.tsx";
import { guard } from "@/features/auth/guard.ts";
import { lazyPart } from "@/lib/app-lazy.ts";
import { useDocumentTitle } from "@/lib/page-title.ts";
import { useToasterRequested } from "@/lib/toast.ts";

const Toaster = lazyPart(() => import("@/components/ui/toaster.tsx"));

export const Route = createRootRoute({
  beforeLoad: ({ location }) => guard(location),
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
