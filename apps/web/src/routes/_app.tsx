import { createFileRoute } from "@tanstack/react-router";
import { AppLayout } from "@/components/shell/app-layout.tsx";
import { StayActionsProvider } from "@/features/stays/stay-actions.tsx";

export const Route = createFileRoute("/_app")({
  component: () => (
    <StayActionsProvider>
      <AppLayout />
    </StayActionsProvider>
  ),
});
