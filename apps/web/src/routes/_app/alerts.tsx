import { createFileRoute } from "@tanstack/react-router";
import { AlertListPage } from "@/features/messaging/alerts/alert-list-page.tsx";
import { alertSearch } from "@/features/messaging/alerts/alert-search.ts";

export const Route = createFileRoute("/_app/alerts")({
  staticData: { titleKey: "nav.alerts" },
  validateSearch: alertSearch,
  component: Alerts,
});

function Alerts() {
  return <AlertListPage search={Route.useSearch()} />;
}
