import { createFileRoute } from "@tanstack/react-router";
import { nightSearch } from "@/features/money/money-search.ts";
import { NightAuditPage } from "@/features/money/night-audit/night-audit-page.tsx";

export const Route = createFileRoute("/_app/nightAudit")({
  staticData: { titleKey: "nav.nightAudit" },
  validateSearch: nightSearch,
  component: NightAuditRoute,
});

function NightAuditRoute() {
  const navigate = Route.useNavigate();
  return (
    <NightAuditPage search={Route.useSearch()} onDate={(date) => void navigate({ search: { date }, replace: true })} />
  );
}
