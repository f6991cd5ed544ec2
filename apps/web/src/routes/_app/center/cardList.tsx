import { createFileRoute } from "@tanstack/react-router";
import { CardListPage } from "@/features/cards/card-list-page.tsx";
import { cardSearch } from "@/features/cards/card-search.ts";

export const Route = createFileRoute("/_app/center/cardList")({
  staticData: {
    titleKey: "nav.managementCards",
  },
  validateSearch: cardSearch,
  component: Cards,
});

function Cards() {
  return <CardListPage kind="management" search={Route.useSearch()} />;
}
