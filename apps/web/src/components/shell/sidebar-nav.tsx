import { Link } from "@tanstack/react-router";
import { cn } from "@/lib/cn.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { Tooltip } from "../ui/tooltip.tsx";
import type { NavEntry } from "./nav.ts";
import { useNav } from "./use-nav.ts";

const linkStyle = [
  "relative flex h-9 items-center gap-2.5 rounded-md px-2.5 font-medium text-muted-foreground transition-colors hover:bg-hover hover:text-foreground",
  // The brass tick is the instrument's pointer.
  "before:absolute before:inset-y-2 before:-start-2 before:w-[3px] before:rounded-e-full before:bg-brass before:opacity-0 before:content-['']",
  "data-[status=active]:bg-selected data-[status=active]:text-foreground data-[status=active]:before:opacity-100",
].join(" ");

export function SidebarNav({ rail, onNavigate }: { rail?: boolean; onNavigate?: () => void }) {
  const { t } = useTranslation();
  const groups = useNav();
  return (
    <nav aria-label={t("shell.mainMenu")} className="scroll-quiet min-h-0 flex-1 overflow-y-auto px-2 pb-4">
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
                <SidebarLink entry={entry} rail={rail} onNavigate={onNavigate} />
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}

function SidebarLink({ entry, rail, onNavigate }: { entry: NavEntry; rail?: boolean; onNavigate?: () => void }) {
  const { t } = useTranslation();
  const label = t(entry.labelKey);
  const link = (
    <Link
      to={entry.path}
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
