import { createRootRoute, type ErrorComponentProps, Outlet, useRouter } from "@tanstack/react-router";
import { Direction } from "radix-ui";
import { ConfirmHost } from "@/components/confirm.tsx";
import { ErrorState } from "@/components/error-state.tsx";
import { Toaster } from "@/components/ui/toaster.tsx";
import { TooltipProvider } from "@/components/ui/tooltip.tsx";
import { guard } from "@/features/auth/guard.ts";
import { language } from "@/lib/i18n.ts";
import { useDocumentTitle } from "@/lib/page-title.ts";

export const Route = createRootRoute({
  beforeLoad: ({ location }) => guard(location),
  component: Root,
  errorComponent: RootError,
});

function Root() {
  useDocumentTitle();
  return (
    <Direction.Provider dir={language.dir}>
      <TooltipProvider delayDuration={300}>
        <Outlet />
        <ConfirmHost />
        <Toaster />
      </TooltipProvider>
    </Direction.Provider>
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
