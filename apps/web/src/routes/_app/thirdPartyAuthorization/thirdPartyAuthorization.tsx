import { createFileRoute } from "@tanstack/react-router";
import { ThirdPartyPage } from "@/features/integrations/integrations-page.tsx";
import { thirdPartySearch } from "@/features/integrations/integrations-search.ts";

export const Route = createFileRoute("/_app/thirdPartyAuthorization/thirdPartyAuthorization")({
  staticData: { titleKey: "nav.thirdParty" },
  validateSearch: thirdPartySearch,
  component: ThirdParty,
});

function ThirdParty() {
  return <ThirdPartyPage search={Route.useSearch()} />;
}
