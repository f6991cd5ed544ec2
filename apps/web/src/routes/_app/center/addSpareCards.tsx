import { createFileRoute } from "@tanstack/react-router";
import { AddSpareCardsPage } from "@/features/cards/spare/add-spare-cards-page.tsx";

export const Route = createFileRoute("/_app/center/addSpareCards")({
  staticData: {
    titleKey: "spare.add",
    trail: [{ to: "/center/spareCardList", titleKey: "nav.spareCards" }],
  },
  component: AddSpareCardsPage,
});
