import { Link, useRouterState } from "@tanstack/react-router";
import { ChevronDown, X } from "lucide-react";
import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import { readStored, writeStored } from "@/lib/browser/stored.ts";
import { cn } from "@/lib/cn.ts";
import { language, t } from "@/lib/i18n.ts";
import { useCan, useMe } from "@/lib/session.ts";
import { IconButton, WithTooltip } from "@/ui/action/icon-button.tsx";
import { SheetPanel } from "@/ui/dialog/panel.tsx";
import { Sheet } from "@/ui/primitives/sheet.tsx";
import { Brand } from "./brand.tsx";
import { entryOf, NAV, type NavEntry, type NavGroup } from "./nav.ts";

/** Returns the menu as this operator may see it. */
export function useNav(): NavGroup[] {
  const can = useCan();
  const { apiKeyAuth, gettingReady } = useMe();
  return NAV.map((group) => ({
    ...group,
    entries: group.entries.filter(
      ({ capability = [], apiKeyAuth: third, gettingReady: isFirst }) =>
        (capability.length === 0 || [capability].flat().some(can)) &&
        (!third || apiKeyAuth) &&
        (!isFirst || gettingReady),
    ),
  })).filter((group) => group.entries.length > 0);
}

const COOKIE = "sidebarStatus";
const YEAR_SECONDS = 31_536_000;

/** Viewport width in pixels below which the sidebar is a drawer. Source: the product specification, section 9. */
const wide = matchMedia("(min-width: 992px)");
const listeners = new Set<() => void>();
let drawerOpen = false;

wide.addEventListener("change", () => {
  drawerOpen = false;
  notifyListeners();
});

function notifyListeners(): void {
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function expanded(): boolean {
  return !/(?:^|; )sidebarStatus=0(?:;|$)/.test(document.cookie);
}

function setDrawerOpen(open: boolean): void {
  drawerOpen = open;
  notifyListeners();
}

export function toggleSidebar(): void {
  if (!wide.matches) {
    setDrawerOpen(!drawerOpen);
    return;
  }
  // The specification names this cookie. It contains only a layout choice.
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in browsers we support
  document.cookie = `${COOKIE}=${expanded() ? 0 : 1}; path=/; max-age=${YEAR_SECONDS}; samesite=lax`;
  notifyListeners();
}

export function useSidebar(): { expanded: boolean; drawerOpen: boolean; wide: boolean } {
  return {
    expanded: useSyncExternalStore(subscribe, expanded),
    drawerOpen: useSyncExternalStore(subscribe, () => drawerOpen),
    wide: useSyncExternalStore(subscribe, () => wide.matches),
  };
}

const linkStyle = [
  "relative flex min-h-9 items-center gap-2.5 rounded-md px-2.5 py-1.5 leading-tight font-medium text-muted-foreground transition-colors hover:bg-hover hover:text-foreground",
  // The brass tick marks the current entry like an instrument's pointer.
  "before:absolute before:inset-y-2 before:-start-2 before:w-[3px] before:rounded-e-full before:bg-brass before:opacity-0 before:content-['']",
  "data-active:bg-selected data-active:text-foreground data-active:before:opacity-100",
].join(" ");

/** The current entry is marked by `entryOf`, because pages without an entry belong to one, too. */
const NO_PROPS = {};

function SidebarNav({ rail, onNavigate }: { rail?: boolean; onNavigate?: () => void }) {
  const groups = useNav();
  const active = useRouterState({ select: ({ location }) => entryOf(location.pathname) });
  const activeGroup = groups.find(({ entries }) => entries.some(({ path }) => path === active))?.labelKey;
  const { unfolded, toggle } = useUnfoldedGroups();
  const nav = useRef<HTMLElement>(null);

  // Only the menu scrolls; the page scrolls by itself.
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
      {groups.map((group) => {
        const isOpen = !group.folds || group.labelKey === activeGroup || unfolded.has(group.labelKey);
        return (
          <div key={group.labelKey} className="mt-3 first:mt-2">
            {group.folds ? (
              <GroupButton
                group={group}
                open={isOpen}
                rail={rail}
                disabled={group.labelKey === activeGroup}
                onToggle={() => toggle(group.labelKey)}
              />
            ) : (
              !rail && <h2 className="mb-1 px-2.5 text-xs font-medium text-faint-foreground">{t(group.labelKey)}</h2>
            )}
            {isOpen && (
              <ul className="grid grid-cols-1 gap-0.5">
                {group.entries.map((entry) => (
                  <li key={entry.path}>
                    <SidebarLink entry={entry} active={entry.path === active} rail={rail} onNavigate={onNavigate} />
                  </li>
                ))}
              </ul>
            )}
          </div>
        );
      })}
    </nav>
  );
}

const UNFOLDED_KEY = "menu-groups";

/** The groups that this person has unfolded, kept in this browser. */
function useUnfoldedGroups(): { unfolded: ReadonlySet<string>; toggle: (group: string) => void } {
  const [unfolded, setUnfolded] = useState<ReadonlySet<string>>(
    () => new Set((readStored(UNFOLDED_KEY) ?? "").split(" ").filter(Boolean)),
  );
  const toggle = (group: string): void => {
    const next = new Set(unfolded);
    if (!next.delete(group)) next.add(group);
    setUnfolded(next);
    writeStored(UNFOLDED_KEY, [...next].join(" "));
  };
  return { unfolded, toggle };
}

type GroupButtonProps = {
  group: NavGroup;
  open: boolean;
  rail?: boolean;
  /** The group of the current page stays open. */
  disabled: boolean;
  onToggle: () => void;
};

/** Folds and unfolds a group that is not needed at the desk all day. */
function GroupButton({ group, open, rail, disabled, onToggle }: GroupButtonProps) {
  const label = t(group.labelKey);
  const Icon = group.icon;
  const button = (
    <button
      type="button"
      aria-expanded={open}
      aria-disabled={disabled || undefined}
      aria-label={rail ? label : undefined}
      onClick={disabled ? undefined : onToggle}
      className={cn(linkStyle, "w-full", rail && "justify-center px-0")}
    >
      <Icon aria-hidden className="size-[18px] shrink-0" strokeWidth={1.75} />
      {!rail && <span className="min-w-0 flex-1 text-start">{label}</span>}
      {!rail && (
        <ChevronDown
          aria-hidden
          className={cn("size-4 shrink-0 text-faint-foreground transition-transform", open && "rotate-180")}
        />
      )}
    </button>
  );
  return rail ? (
    <WithTooltip content={label} side={document.dir === "rtl" ? "left" : "right"}>
      {button}
    </WithTooltip>
  ) : (
    button
  );
}

type SidebarLinkProps = { entry: NavEntry; active: boolean; rail?: boolean; onNavigate?: () => void };

function SidebarLink({ entry, active, rail, onNavigate }: SidebarLinkProps) {
  const label = t(entry.labelKey);
  const link = (
    <Link
      to={entry.path}
      activeProps={NO_PROPS}
      data-active={active || undefined}
      aria-current={active ? "page" : undefined}
      onClick={onNavigate}
      aria-label={rail ? label : undefined}
      className={cn(linkStyle, rail && "justify-center px-0")}
    >
      <entry.icon aria-hidden className="size-[18px] shrink-0" strokeWidth={1.75} />
      {!rail && <span className="min-w-0">{label}</span>}
    </Link>
  );
  return rail ? (
    <WithTooltip content={label} side={document.dir === "rtl" ? "left" : "right"}>
      {link}
    </WithTooltip>
  ) : (
    link
  );
}

export function Sidebar() {
  const { expanded, drawerOpen, wide } = useSidebar();

  if (!wide) {
    return (
      <Sheet open={drawerOpen} onOpenChange={setDrawerOpen}>
        <SheetPanel title={t("shell.mainMenu")} side="left" bare className="w-[260px] max-w-[85vw]">
          <div className="flex h-full flex-col">
            <div className="flex h-14 shrink-0 items-center justify-between ps-5 pe-3">
              <Brand />
              <IconButton icon={X} label={t("shell.closeMenu")} onClick={() => setDrawerOpen(false)} />
            </div>
            <SidebarNav onNavigate={() => setDrawerOpen(false)} />
          </div>
        </SheetPanel>
      </Sheet>
    );
  }

  return (
    <aside
      data-expanded={expanded}
      dir={language.dir}
      className={cn(
        "sticky top-(--connection-bar) flex h-[calc(100dvh-var(--connection-bar))] shrink-0 flex-col border-e bg-sunken",
        expanded ? "w-[210px]" : "w-16",
      )}
    >
      <Link
        to="/"
        aria-label={t("common.siteName")}
        className={cn("m-1.5 flex h-11 shrink-0 items-center rounded-md", expanded ? "px-4" : "justify-center")}
      >
        <Brand markOnly={!expanded} />
      </Link>
      <SidebarNav rail={!expanded} />
    </aside>
  );
}
