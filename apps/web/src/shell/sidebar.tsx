import { Link } from "@tanstack/react-router";
import { X } from "lucide-react";
import { cn } from "@/lib/cn.ts";
import { language, useTranslation } from "@/lib/i18n.ts";
import { IconButton } from "@/ui/primitives/icon-button.tsx";
import { Sheet, SheetContent } from "@/ui/primitives/sheet.tsx";
import { Brand } from "./brand.tsx";
import { SidebarNav } from "./sidebar-nav.tsx";
import { setDrawerOpen, useSidebar } from "./sidebar-state.ts";

export function Sidebar() {
  const { t } = useTranslation();
  const { expanded, drawerOpen, wide } = useSidebar();

  if (!wide) {
    return (
      <Sheet open={drawerOpen} onOpenChange={setDrawerOpen}>
        <SheetContent title={t("shell.mainMenu")} side="start" bare className="w-[260px] max-w-[85vw]">
          <div className="flex h-full flex-col">
            <div className="flex h-14 shrink-0 items-center justify-between ps-5 pe-3">
              <Brand />
              <IconButton icon={X} label={t("shell.closeMenu")} onClick={() => setDrawerOpen(false)} />
            </div>
            <SidebarNav onNavigate={() => setDrawerOpen(false)} />
          </div>
        </SheetContent>
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
