import { Outlet } from "@tanstack/react-router";
import { useTranslation } from "@/lib/i18n.ts";
import { Brand } from "./brand.tsx";
import { Dial } from "./menus/dial.tsx";
import { LanguageMenu } from "./menus/language-menu.tsx";
import { ThemeMenu } from "./menus/theme-menu.tsx";

export function PublicLayout() {
  const { t } = useTranslation();
  return (
    <div className="grid min-h-dvh lg:grid-cols-[minmax(0,5fr)_minmax(0,6fr)]">
      <aside
        aria-label={t("common.siteName")}
        data-theme="dark"
        className="sticky top-(--connection-bar) hidden h-[calc(100dvh-var(--connection-bar))] flex-col justify-between overflow-hidden border-e bg-sunken p-10 text-foreground lg:flex"
      >
        <Brand />
        <Dial className="mx-auto w-full max-w-[380px] min-w-0" />
        <p className="max-w-md text-2xl font-medium tracking-tight text-balance">{t("auth.tagline")}</p>
      </aside>
      <div className="flex min-w-0 flex-col px-5 sm:px-10">
        <header className="flex h-16 shrink-0 items-center justify-between lg:justify-end">
          <Brand className="lg:hidden" />
          <div className="flex items-center gap-1">
            <LanguageMenu named />
            <ThemeMenu />
          </div>
        </header>
        <main className="mx-auto flex w-full max-w-[400px] flex-1 flex-col justify-center pt-4 pb-24">
          <Outlet />
        </main>
      </div>
    </div>
  );
}
