import { createFileRoute } from "@tanstack/react-router";
import { useCallback } from "react";
import { TimelineScreen } from "@/features/timeline/timeline-screen.tsx";
import { type TimelineSearch, timelineSearch } from "@/features/timeline/timeline-search.ts";

export const Route = createFileRoute("/_app/timeline")({
  staticData: { titleKey: "nav.timeline" },
  validateSearch: timelineSearch,
  component: Timeline,
});

function Timeline() {
  const search = Route.useSearch();
  const navigate = Route.useNavigate();
  const change = useCallback(
    (patch: TimelineSearch) => void navigate({ search: (old) => ({ ...old, ...patch }), replace: true }),
    [navigate],
  );
  return <TimelineScreen search={search} onSearch={change} />;
}
