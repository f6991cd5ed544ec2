import { Link, useRouterState } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { cn } from "@/lib/cn.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { Tooltip } from "@/ui/primitives/tooltip.tsx";
import { entryOf, type NavEntry } from "./nav.ts";
import { useNav } from "./use-nav.ts";

const linkStyle = [
  "relative flex h-9 items-center gap-2.5 rounded-md px-2.5 font-medium text-muted-foreground transition-colors hover:bg-hover hover:text-foreground",
  // The brass tick is the instrument's pointer.
  "before:absolute before:inset-y-2 before:-start-2 before:w-[3px] before:rounded-e-full before:bg-brass before:opacity-0 before:content-['']",
  "data-active:bg-selected data-active:text-foreground data-active:before:opacity-100",
].join(" ");

/** Which entry stands out is decided by the page's place in the menu and not by its address alone. */
const NOTHING = {};

export function SidebarNav({ rail, onNavigate }: { rail?: boolean; onNavigate?: () => void }) {
  const { t } = useTranslation();
  const groups = useNav();
  const active = useRouterState({ select: ({ location }) => entryOf(location.pathname) });
  const nav = useRef<HTMLElement>(null);

  // The menu alone moves: the page has its own place.
  useEffect(() => {
    const box = nav.current;
    const link = active && box?.querySelector<HTMLElement>(`a[href="${active}"]`);
    if (!box || !link) return;
    const [frame, own] = [box.getBoundingClientRect(), link.getBoundingClientRect()];
    if (own.top >= frame.top && own.bottom <= frame.bottom) return;
    box.scrollTop += own.top - frame.top - (frame.height - own.height) / 2;
  }, [active]);

  return (
    <nav ref={nav} aria-label={t("shell.mainMenu")} className="scroll-quiet min-h-0 flex-1 overflow-y-auto px-2 pb-4">
      {groups.map((group) => (
        <div key={group.labelKey} className="mt-5 first:mt-2">
          {rail ? (
            <div className="mx-2 mb-2 h-px bg-border" />
          ) : (
            <h2 className="mb-1 px-2.5 text-xs font-medium text-faint-foreground">{t(group.labelKey)}</h2>
          )}
          <ul className="grid grid-cols-1 gap-0.5">
            {group.entries.map((entry) => (
              <li key={entry.path}>
                <SidebarLink entry={entry} active={entry.path === active} rail={rail} onNavigate={onNavigate} />
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}

type SidebarLinkProps = { entry: NavEntry; active: boolean; rail?: boolean; onNavigate?: () => void };

function SidebarLink({ entry, active, rail, onNavigate }: SidebarLinkProps) {
  const { t } = useTranslation();
  const label = t(entry.labelKey);
  const link = (
    <Link
      to={entry.path}
      activeProps={NOTHING}
      data-active={active || undefined}
      aria-current={active ? "page" : undefined}
      onClick={onNavigate}
      aria-label={rail ? label : undefined}
      title={rail ? undefined : label}
      className={cn(linkStyle, rail && "justify-center px-0")}
    >
      <entry.icon aria-hidden className="size-[18px] shrink-0" strokeWidth={1.75} />
      {!rail && <span className="truncate">{label}</span>}
    </Link>
  );
  return rail ? (
    <Tooltip content={label} side={document.dir === "rtl" ? "left" : "right"}>
      {link}
    </Tooltip>
  ) : (
    link
  );
}
