import { createFileRoute } from "@tanstack/react-router";
import { stationSearch } from "@/features/cards/card-search.ts";
import { StationPage } from "@/features/cards/station/station-page.tsx";

export const Route = createFileRoute("/_app/cardToEncryption/cardToEncryption")({
  staticData: { titleKey: "card.station.title" },
  validateSearch: stationSearch,
  component: RoomCards,
});

function RoomCards() {
  return <StationPage roomId={Route.useSearch().room} />;
}
