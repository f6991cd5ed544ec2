import { createFileRoute } from "@tanstack/react-router";
import { StaffPage } from "@/features/staff/staff-page.tsx";
import { staffSearch } from "@/features/staff/staff-search.ts";
import { pagesOf } from "@/shell/nav.ts";

export const Route = createFileRoute("/_app/staff")({
  staticData: { titleKey: "nav.staff" },
  validateSearch: staffSearch,
  component: Staff,
});

function Staff() {
  const { tab = "people" } = Route.useSearch();
  const navigate = Route.useNavigate();
  return (
    <StaffPage
      tab={tab}
      pagesOf={pagesOf}
      onTabChange={(next) => void navigate({ search: { tab: next === "people" ? undefined : next }, replace: true })}
    />
  );
}
