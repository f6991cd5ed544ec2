import { createFileRoute } from "@tanstack/react-router";
import { HotelScreen } from "@/features/settings/hotel/hotel-screen.tsx";
import { hotelSearch } from "@/features/settings/hotel/hotel-search.ts";

export const Route = createFileRoute("/_app/hotel")({
  staticData: { titleKey: "nav.hotel" },
  validateSearch: hotelSearch,
  component: Hotel,
});

function Hotel() {
  const { tab = "data" } = Route.useSearch();
  const navigate = Route.useNavigate();
  return (
    <HotelScreen
      tab={tab}
      onTab={(next) => void navigate({ search: { tab: next === "data" ? undefined : next }, replace: true })}
    />
  );
}
