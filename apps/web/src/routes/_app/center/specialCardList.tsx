import { createFileRoute } from "@tanstack/react-router";
import { CardListPage } from "@/features/cards/card-list-page.tsx";
import { cardSearch } from "@/features/cards/card-search.ts";

export const Route = createFileRoute("/_app/center/specialCardList")({
  staticData: {
    titleKey: "nav.specialCards",
  },
  validateSearch: cardSearch,
  component: Cards,
});

function Cards() {
  return <CardListPage kind="special" search={Route.useSearch()} />;
}
