import { Outlet, useRouter, useRouterState } from "@tanstack/react-router";
import { type ReactNode, Suspense, useCallback, useEffect, useRef, useState } from "react";
import { usePaletteOpened, useShortcutHelpOpen, useShortcuts } from "@/lib/commands/commands.ts";
import { useConsoleStream } from "@/lib/events/console-stream.ts";
import { appTexts, hasAppTexts, t } from "@/lib/i18n.ts";
import { appLazy, useWarmed } from "@/lib/loading/app-lazy.ts";
import { onConnectionRestored } from "@/lib/loading/connection.ts";
import { reloadIfMissing } from "@/lib/loading/missing-part.ts";
import { ErrorState, PageSkeleton } from "@/ui/page-state.tsx";
import { Navbar } from "./navbar.tsx";
import { Sidebar } from "./sidebar.tsx";
import { useFaults } from "./use-faults.ts";

const loadPalette = () => import("./commands/command-palette.tsx");
const CommandPalette = appLazy(loadPalette);
const ShortcutHelp = appLazy(() => import("./commands/shortcut-help.tsx"));

/** Moves the focus to the main part if a navigation removed the element that had it. */
function useFocusOnNavigation() {
  const main = useRef<HTMLElement>(null);
  const path = useRouterState({ select: (state) => state.resolvedLocation?.pathname });
  const previous = useRef(path);
  useEffect(() => {
    const moved = previous.current !== undefined && previous.current !== path;
    previous.current = path;
    if (moved && (document.activeElement === document.body || document.activeElement === null))
      main.current?.focus({ preventScroll: true });
  }, [path]);
  return main;
}

/** Shows the page, or a message in its place if its texts can't be loaded. */
function Page({ children }: { children: ReactNode }) {
  const onBoard = useRouterState({ select: (state) => state.matches.some(({ routeId }) => routeId === "/_app/room/") });
  const router = useRouter();
  const [{ failure }, setLoaded] = useState<{ failure: unknown }>({ failure: null });
  const missing = !onBoard && !hasAppTexts();
  const load = useCallback(() => {
    // The code of the page was requested in the same failed attempt.
    appTexts()
      .then(() => router.invalidate())
      .then(
        () => setLoaded({ failure: null }),
        (error: unknown) => {
          setLoaded({ failure: error });
          void reloadIfMissing(error);
        },
      );
  }, [router]);
  useEffect(() => {
    if (!missing) return;
    load();
    return onConnectionRestored(load);
  }, [missing, load]);
  if (!missing) return children ?? <Outlet />;
  return failure === null ? (
    <PageSkeleton />
  ) : (
    <ErrorState error={failure} lostText={t("shell.notLoadedText")} onRetry={load} />
  );
}

export function AppLayout({ children }: { children?: ReactNode }) {
  const main = useFocusOnNavigation();
  useConsoleStream();
  useShortcuts();
  const palette = usePaletteOpened();
  const shortcutHelp = useShortcutHelpOpen();
  useWarmed(loadPalette);
  return (
    <div className="flex min-h-dvh">
      <a
        href="#main"
        className="fixed start-3 top-2 z-60 -translate-y-16 rounded-md bg-foreground px-4 py-2 font-medium text-background focus:translate-y-0 print:hidden"
      >
        {t("shell.skipToContent")}
      </a>
      <div className="contents print:hidden">
        <Sidebar />
      </div>
      <div className="flex min-w-0 flex-1 flex-col">
        <div className="contents print:hidden">
          <Navbar />
          <FaultBanner />
        </div>
        <main
          ref={main}
          id="main"
          tabIndex={-1}
          className="mx-auto w-full max-w-[1600px] flex-1 px-4 py-5 outline-none lg:px-8 lg:py-7"
        >
          <Page>{children}</Page>
        </main>
      </div>
      {shortcutHelp && (
        <Suspense>
          <ShortcutHelp />
        </Suspense>
      )}
      {palette && (
        <Suspense>
          <CommandPalette />
        </Suspense>
      )}
    </div>
  );
}

const FaultNotice = appLazy(() => import("./fault-notice.tsx"));

/** Lists the current faults above every page. */
function FaultBanner() {
  const faults = useFaults();
  return (
    <div aria-live="polite">
      {faults.length > 0 && (
        <Suspense>
          <FaultNotice faults={faults} />
        </Suspense>
      )}
    </div>
  );
}
