import { createFileRoute } from "@tanstack/react-router";
import { todaySearch } from "@/features/home/today-search.ts";
import { TodayPage } from "@/pages/today-page.tsx";

export const Route = createFileRoute("/_app/home")({
  staticData: { titleKey: "nav.home" },
  validateSearch: todaySearch,
  component: Today,
});

function Today() {
  const navigate = Route.useNavigate();
  return (
    <TodayPage
      search={Route.useSearch()}
      onList={(list) => void navigate({ search: { list }, replace: true, resetScroll: false })}
    />
  );
}
