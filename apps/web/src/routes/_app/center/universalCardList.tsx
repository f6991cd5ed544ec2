import { createFileRoute } from "@tanstack/react-router";
import { CardListPage } from "@/features/cards/card-list-page.tsx";
import { cardSearch } from "@/features/cards/card-search.ts";

export const Route = createFileRoute("/_app/center/universalCardList")({
  staticData: {
    titleKey: "nav.universalCards",
  },
  validateSearch: cardSearch,
  component: Cards,
});

function Cards() {
  return <CardListPage kind="universal" search={Route.useSearch()} />;
}
