import { createFileRoute } from "@tanstack/react-router";
import { IntegrationsPage } from "@/features/integrations/integrations-page.tsx";
import { integrationsSearch } from "@/features/integrations/integrations-search.ts";

export const Route = createFileRoute("/_app/thirdPartyAuthorization/thirdPartyAuthorization")({
  staticData: { titleKey: "nav.thirdParty" },
  validateSearch: integrationsSearch,
  component: Integrations,
});

function Integrations() {
  return <IntegrationsPage search={Route.useSearch()} />;
}
