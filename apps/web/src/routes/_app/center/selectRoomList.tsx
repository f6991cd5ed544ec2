import { createFileRoute } from "@tanstack/react-router";
import { roomChoiceSearch } from "@/features/cards/card-search.ts";
import { SelectRoomsPage } from "@/features/cards/select-rooms-page.tsx";

export const Route = createFileRoute("/_app/center/selectRoomList")({
  staticData: { titleKey: "card.chooseRooms", trail: [{ to: "/center/cardList", titleKey: "nav.managementCards" }] },
  validateSearch: roomChoiceSearch,
  component: SelectRooms,
});

function SelectRooms() {
  return <SelectRoomsPage cardId={Route.useSearch().card} />;
}
