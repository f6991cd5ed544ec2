import { createFileRoute } from "@tanstack/react-router";
import { Direction } from "radix-ui";
import { StayActionsProvider } from "@/entities/stay/stay-actions.tsx";
import { appTexts, language } from "@/lib/i18n.ts";
import { appLazy, useWarmed } from "@/lib/loading/app-lazy.ts";
import { isMissingPart } from "@/lib/loading/missing-part.ts";
import { AppLayout } from "@/shell/app-layout.tsx";
import { TooltipProvider } from "@/ui/primitives/tooltip.tsx";

/**
 * Every page but the board needs the remaining texts; the previous page stays until they are loaded. If they can't be
 * loaded now, the frame says so in place of the page.
 */
export const Route = createFileRoute("/_app")({
  beforeLoad: async ({ matches }) => {
    if (!matches.some((match) => match.routeId === "/_app/room/")) await appTexts().catch(ignoreMissingPart);
  },
  pendingMs: Number.POSITIVE_INFINITY,
  component: App,
});

function ignoreMissingPart(error: unknown): void {
  if (!isMissingPart(error)) throw error;
}

const loadActionDialog = () => import("@/pages/action-dialog.tsx");
const ActionDialog = appLazy(loadActionDialog);

/** The dialogs of stays are siblings of the layout, so the providers of direction and tooltips enclose both. */
function App() {
  useWarmed(loadActionDialog);
  return (
    <Direction.Provider dir={language.dir}>
      <TooltipProvider delayDuration={300}>
        <StayActionsProvider Dialog={ActionDialog}>
          <AppLayout />
        </StayActionsProvider>
      </TooltipProvider>
    </Direction.Provider>
  );
}
