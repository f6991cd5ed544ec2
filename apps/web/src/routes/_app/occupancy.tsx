import { createFileRoute } from "@tanstack/react-router";
import { occupancySearch } from "@/features/money/money-search.ts";
import { OccupancyPage } from "@/features/money/occupancy/occupancy-page.tsx";

export const Route = createFileRoute("/_app/occupancy")({
  staticData: { titleKey: "nav.occupancy" },
  validateSearch: occupancySearch,
  component: OccupancyRoute,
});

function OccupancyRoute() {
  const navigate = Route.useNavigate();
  return (
    <OccupancyPage
      search={Route.useSearch()}
      onSearch={(patch) => void navigate({ search: (old) => ({ ...old, ...patch }), replace: true })}
    />
  );
}
