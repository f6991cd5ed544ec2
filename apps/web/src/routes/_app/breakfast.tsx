import { createFileRoute } from "@tanstack/react-router";
import { useCallback } from "react";
import { BreakfastPage } from "@/features/stays/breakfast/breakfast-page.tsx";
import { type BreakfastSearch, breakfastSearch } from "@/features/stays/stay-search.ts";

export const Route = createFileRoute("/_app/breakfast")({
  staticData: { titleKey: "nav.breakfast" },
  validateSearch: breakfastSearch,
  component: Breakfast,
});

function Breakfast() {
  const search = Route.useSearch();
  const navigate = Route.useNavigate();
  const change = useCallback(
    (patch: BreakfastSearch) => void navigate({ search: (old) => ({ ...old, ...patch }), replace: true }),
    [navigate],
  );
  return <BreakfastPage search={search} onSearch={change} />;
}
