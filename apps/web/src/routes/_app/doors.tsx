import { createFileRoute } from "@tanstack/react-router";
import { useCallback } from "react";
import { type DoorSearch, doorSearch } from "@/entities/unlock/record-search.ts";
import { DoorsPage } from "@/features/unlocks/doors-page.tsx";

export const Route = createFileRoute("/_app/doors")({
  staticData: { titleKey: "nav.doorRecords" },
  validateSearch: doorSearch,
  component: Doors,
});

function Doors() {
  const search = Route.useSearch();
  const navigate = Route.useNavigate();
  const change = useCallback(
    (patch: DoorSearch) => void navigate({ search: (old) => ({ ...old, ...patch }), replace: true }),
    [navigate],
  );
  return <DoorsPage search={search} onSearch={change} />;
}
