import { createFileRoute } from "@tanstack/react-router";
import { roomChoiceSearch } from "@/features/cards/card-search.ts";
import { RemovalPlanPage } from "@/features/cards/removal-plan-page.tsx";

export const Route = createFileRoute("/_app/center/removalPlan")({
  staticData: { titleKey: "card.plan.title", trail: [{ to: "/center/cardList", titleKey: "nav.managementCards" }] },
  validateSearch: roomChoiceSearch,
  component: RemovalPlanRoute,
});

function RemovalPlanRoute() {
  return <RemovalPlanPage cardId={Route.useSearch().card} />;
}
