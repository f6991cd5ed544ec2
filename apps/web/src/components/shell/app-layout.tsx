import { Outlet, useRouterState } from "@tanstack/react-router";
import { Suspense, useEffect, useRef } from "react";
import { usePaletteWanted } from "@/lib/commands.ts";
import { houseLazy } from "@/lib/house-lazy.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { useShortcuts } from "@/lib/use-shortcuts.ts";
import { ConditionBanner } from "./condition-banner.tsx";
import { Navbar } from "./navbar.tsx";
import { Sidebar } from "./sidebar.tsx";

const CommandPalette = houseLazy(() => import("./command-palette.tsx"));

/** Focus follows the page: after a navigation that removed what had it, the main part takes it. */
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

export function AppLayout() {
  const { t } = useTranslation();
  const main = useFocusOnNavigation();
  useShortcuts();
  const palette = usePaletteWanted();
  return (
    <div className="flex min-h-dvh">
      <a
        href="#main"
        className="fixed start-3 top-2 z-60 -translate-y-16 rounded-md bg-foreground px-4 py-2 font-medium text-background focus:translate-y-0"
      >
        {t("shell.skipToContent")}
      </a>
      <Sidebar />
      <div className="flex min-w-0 flex-1 flex-col">
        <Navbar />
        <ConditionBanner />
        <main
          ref={main}
          id="main"
          tabIndex={-1}
          className="mx-auto w-full max-w-[1600px] flex-1 px-4 py-5 outline-none lg:px-8 lg:py-7"
        >
          <Outlet />
        </main>
      </div>
      {palette && (
        <Suspense>
          <CommandPalette />
        </Suspense>
      )}
    </div>
  );
}
