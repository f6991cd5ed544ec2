import { createFileRoute } from "@tanstack/react-router";
import { AddCardPage } from "@/features/cards/writing/add-card-page.tsx";

export const Route = createFileRoute("/_app/center/addUniversalCard")({
  staticData: {
    titleKey: "card.universal.add",
    trail: [{ to: "/center/universalCardList", titleKey: "nav.universalCards" }],
  },
  component: AddCard,
});

function AddCard() {
  return <AddCardPage kind="universal" />;
}
