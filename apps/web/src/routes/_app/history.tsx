import { createFileRoute } from "@tanstack/react-router";
import { useCallback } from "react";
import { HistoryPage } from "@/features/stays/history/history-page.tsx";
import { type HistorySearch, historySearch } from "@/features/stays/stay-search.ts";

export const Route = createFileRoute("/_app/history")({
  staticData: { titleKey: "nav.history" },
  validateSearch: historySearch,
  component: CheckInHistory,
});

function CheckInHistory() {
  const search = Route.useSearch();
  const navigate = Route.useNavigate();
  const change = useCallback(
    (patch: HistorySearch) => void navigate({ search: (old) => ({ ...old, ...patch }), replace: true }),
    [navigate],
  );
  return <HistoryPage search={search} onSearch={change} />;
}
