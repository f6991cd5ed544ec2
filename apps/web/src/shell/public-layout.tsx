import { Outlet } from "@tanstack/react-router";
import { type ReactNode, useEffect, useState } from "react";
import { t } from "@/lib/i18n.ts";
import { LanguageMenu, ThemeMenu } from "@/shell/menus/preference-menus.tsx";
import { Dial } from "@/ui/dial.tsx";
import { Brand } from "./brand.tsx";

export function PublicLayout({ children }: { children?: ReactNode }) {
  return (
    <div className="grid min-h-dvh lg:grid-cols-[minmax(0,5fr)_minmax(0,6fr)]">
      <aside
        aria-label={t("common.siteName")}
        data-theme="dark"
        className="sticky top-(--connection-bar) hidden h-[calc(100dvh-var(--connection-bar))] flex-col justify-between overflow-hidden border-e bg-sunken p-10 text-foreground lg:flex"
      >
        <Brand />
        <Clock className="mx-auto w-full max-w-[380px] min-w-0" />
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
          {children ?? <Outlet />}
        </main>
      </div>
    </div>
  );
}

const MINUTES = 60;

function minuteNow(): number {
  return new Date().getMinutes();
}

/** The dial as a clock: the ticks of the elapsed part of the hour are brass. */
function Clock({ className }: { className?: string }) {
  const [minute, setMinute] = useState(minuteNow);
  useEffect(() => {
    const timer = setInterval(() => setMinute(minuteNow()), 10_000);
    return () => clearInterval(timer);
  }, []);

  return (
    <Dial ticks={MINUTES} filled={minute + 1} className={className}>
      <path d="M-44 72V-26a44 44 0 0 1 88 0V72a8 8 0 0 1-8 8H-36a8 8 0 0 1-8-8z" className="fill-brass" />
      <path
        d="M-36 68V-26a36 36 0 0 1 72 0V68a4 4 0 0 1-4 4H-32a4 4 0 0 1-4-4z"
        stroke="var(--brass-foreground)"
        strokeOpacity="0.3"
        strokeWidth="1.5"
      />
      <circle cy="-20" r="13" fill="var(--brass-foreground)" />
      <path d="M-5-12h10l6 32h-22z" fill="var(--brass-foreground)" />
    </Dial>
  );
}
