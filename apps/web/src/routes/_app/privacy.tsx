import { createFileRoute } from "@tanstack/react-router";
import * as z from "zod/mini";
import { PrivacyPage } from "@/features/data/privacy/privacy-page.tsx";
import { whole } from "@/lib/search-params.ts";

/** The address names a person only by id, because names don't belong in addresses. */
const privacySearch = z.object({ person: whole() });

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
