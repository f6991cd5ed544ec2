import { createFileRoute } from "@tanstack/react-router";
import { AddCardPage } from "@/features/cards/writing/add-card-page.tsx";

export const Route = createFileRoute("/_app/center/addCard")({
  staticData: { titleKey: "card.management.add", trail: [{ to: "/center/cardList", titleKey: "nav.managementCards" }] },
  component: AddCard,
});

function AddCard() {
  return <AddCardPage kind="management" />;
}
