import { Direction } from "radix-ui";
import type { ReactNode } from "react";
import { OpeningReasonHost } from "@/entities/lock/opening-reason-host.tsx";
import { StayActionsProvider } from "@/entities/stay/stay-actions.tsx";
import { language } from "@/lib/i18n.ts";
import { appLazy, useWarmed } from "@/lib/loading/app-lazy.ts";
import { TooltipProvider } from "@/ui/primitives/tooltip.tsx";
import { AppLayout } from "./app-layout.tsx";

const loadActionDialog = () => import("@/pages/action-dialog.tsx");
const ActionDialog = appLazy(loadActionDialog);

/**
 * The frame of every page for somebody who is logged in; without `children` it shows the page of the route. The dialogs
 * of stays are siblings of the layout, so the providers of direction and tooltips enclose both.
 */
export function AppFrame({ children }: { children?: ReactNode }) {
  useWarmed(loadActionDialog);
  return (
    <Direction.Provider dir={language.dir}>
      <TooltipProvider delayDuration={300}>
        <StayActionsProvider Dialog={ActionDialog}>
          <AppLayout>{children}</AppLayout>
          <OpeningReasonHost />
        </StayActionsProvider>
      </TooltipProvider>
    </Direction.Provider>
  );
}
