import { createFileRoute } from "@tanstack/react-router";
import { Direction } from "radix-ui";
import { AppLayout } from "@/components/shell/app-layout.tsx";
import { TooltipProvider } from "@/components/ui/tooltip.tsx";
import { StayActionsProvider } from "@/features/stays/stay-actions.tsx";
import { language } from "@/lib/i18n.ts";

export const Route = createFileRoute("/_app")({ component: App });

/** Dialogs of stays stand beside the layout, so what they need of direction and tooltips is around both. */
function App() {
  return (
    <Direction.Provider dir={language.dir}>
      <TooltipProvider delayDuration={300}>
        <StayActionsProvider>
          <AppLayout />
        </StayActionsProvider>
      </TooltipProvider>
    </Direction.Provider>
  );
}
