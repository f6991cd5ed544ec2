import { createFileRoute } from "@tanstack/react-router";
import { GuestListPage } from "@/features/guests/guest-list-page.tsx";
import { guestSearch } from "@/features/guests/guest-search.ts";

export const Route = createFileRoute("/_app/guests")({
  staticData: { titleKey: "nav.guests" },
  validateSearch: guestSearch,
  component: Guests,
});

function Guests() {
  return <GuestListPage search={Route.useSearch()} />;
}
