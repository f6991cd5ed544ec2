import { createFileRoute } from "@tanstack/react-router";
import { stationSearch } from "@/features/cards/card-search.ts";
import { AddSpecialCardPage } from "@/features/cards/writing/add-special-card-page.tsx";

export const Route = createFileRoute("/_app/center/addSpecialCard")({
  staticData: {
    titleKey: "card.special.add",
    trail: [{ to: "/center/specialCardList", titleKey: "nav.specialCards" }],
  },
  validateSearch: stationSearch,
  component: AddCard,
});

function AddCard() {
  return <AddSpecialCardPage roomId={Route.useSearch().room} />;
}
