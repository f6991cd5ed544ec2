import { createFileRoute } from "@tanstack/react-router";
import { PendingRevocationsScreen } from "@/features/locks/pending-revocations-screen.tsx";

export const Route = createFileRoute("/_app/risk")({
  staticData: { titleKey: "nav.risk" },
  component: PendingRevocationsScreen,
});
