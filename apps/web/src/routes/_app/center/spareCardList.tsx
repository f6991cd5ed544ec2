import { createFileRoute } from "@tanstack/react-router";
import { SpareCardsPage } from "@/features/cards/spare/spare-cards-page.tsx";

export const Route = createFileRoute("/_app/center/spareCardList")({
  staticData: {
    titleKey: "nav.spareCards",
  },
  component: SpareCardsPage,
});
