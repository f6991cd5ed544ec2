import { Link } from "@tanstack/react-router";
import { ChevronRight, Nfc, PanelLeft, Search } from "lucide-react";
import { Suspense, useMemo, useState } from "react";
import { setPaletteOpen, useCommands } from "@/lib/commands/commands.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { appLazy, lazyPart } from "@/lib/loading/app-lazy.ts";
import { useCrumbs } from "@/lib/page-title.ts";
import { IconButton } from "@/ui/action/icon-button.tsx";
import { Can } from "@/ui/can.tsx";
import { Kbd } from "@/ui/primitives/kbd.tsx";
import { HotelSwitcher } from "./menus/hotel-switcher.tsx";
import { LanguageMenu } from "./menus/language-menu.tsx";
import { ThemeMenu } from "./menus/theme-menu.tsx";
import { UserMenu } from "./menus/user-menu.tsx";
import { toggleSidebar, useSidebar } from "./sidebar.tsx";
import { paletteShortcut } from "./use-shortcuts.ts";

const AlertBell = lazyPart(() => import("@/features/messaging/alerts/alert-bell.tsx"));

export function Navbar() {
  const { t } = useTranslation();
  const { expanded, drawerOpen, wide } = useSidebar();
  return (
    <header className="sticky top-(--connection-bar) z-30 flex h-14 items-center gap-2 border-b bg-background/92 px-3 backdrop-blur-sm lg:px-5">
      <IconButton
        icon={PanelLeft}
        flip
        label={(wide ? expanded : drawerOpen) ? t("shell.closeMenu") : t("shell.openMenu")}
        aria-expanded={wide ? expanded : drawerOpen}
        className="-ms-1 aria-expanded:bg-transparent"
        onClick={toggleSidebar}
      />
      <Breadcrumb />
      <div className="ms-auto flex items-center gap-0.5">
        <button
          type="button"
          onClick={() => setPaletteOpen(true)}
          aria-keyshortcuts="Control+K Meta+K"
          className="me-1 hidden h-8 w-48 items-center gap-2 rounded-md border bg-card px-2.5 text-sm text-muted-foreground hover:border-input md:flex xl:w-60"
        >
          <Search aria-hidden className="size-4" />
          <span className="flex-1 truncate text-start">{t("shell.searchOrGo")}</span>
          <Kbd>{paletteShortcut}</Kbd>
        </button>
        <IconButton
          icon={Search}
          label={t("shell.searchOrGo")}
          className="md:hidden"
          onClick={() => setPaletteOpen(true)}
        />
        <ReaderButton />
        <Can capability="alerts.view">
          <Suspense fallback={<span className="size-9" />}>
            <AlertBell />
          </Suspense>
        </Can>
        <HotelSwitcher />
        <LanguageMenu />
        <div className="max-sm:hidden">
          <ThemeMenu />
        </div>
        <UserMenu />
      </div>
    </header>
  );
}

const ReaderSheet = appLazy(() => import("@/features/readers/reader-sheet.tsx"));

/** Opens the card reader beside the current work, from every screen. */
function ReaderButton() {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const commands = useMemo(
    () => [{ id: "read-card", label: t("reader.read"), group: t("nav.desk"), icon: Nfc, run: () => setOpen(true) }],
    [t],
  );
  useCommands(commands);
  return (
    <>
      <IconButton icon={Nfc} label={t("reader.title")} aria-expanded={open} onClick={() => setOpen(true)} />
      {open && (
        <Suspense>
          <ReaderSheet onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}

function Breadcrumb() {
  const { t } = useTranslation();
  const crumbs = useCrumbs();
  return (
    <nav aria-label={t("shell.breadcrumb")} className="min-w-0">
      <ol className="flex min-w-0 items-center gap-1.5">
        {crumbs.map((crumb, index) => (
          <li
            key={`${crumb.to ?? ""}${crumb.label}`}
            className="flex min-w-0 items-center gap-1.5 not-last:max-sm:hidden"
          >
            {index > 0 && (
              <ChevronRight aria-hidden className="flip-rtl size-3.5 shrink-0 text-faint-foreground max-sm:hidden" />
            )}
            {crumb.to ? (
              <Link
                to={crumb.to}
                className="truncate rounded-sm text-muted-foreground hover:text-foreground hover:underline"
              >
                {crumb.label}
              </Link>
            ) : (
              <span aria-current="page" className="truncate font-medium">
                {crumb.label}
              </span>
            )}
          </li>
        ))}
      </ol>
    </nav>
  );
}
