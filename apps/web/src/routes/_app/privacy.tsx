import { createFileRoute } from "@tanstack/react-router";
import { PrivacyPage } from "@/features/data/privacy/privacy-page.tsx";
import { privacySearch } from "@/features/data/privacy/privacy-search.ts";

export const Route = createFileRoute("/_app/privacy")({
  staticData: { titleKey: "nav.privacy" },
  validateSearch: privacySearch,
  component: Privacy,
});

function Privacy() {
  const { person } = Route.useSearch();
  const navigate = Route.useNavigate();
  return <PrivacyPage guestId={person} onPerson={(guestId) => void navigate({ search: { person: guestId } })} />;
}
