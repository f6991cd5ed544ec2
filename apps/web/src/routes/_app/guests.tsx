import { createFileRoute } from "@tanstack/react-router";
import { guestSearch } from "@/entities/guest/guest-search.ts";
import { GuestListPage } from "@/features/guests/guest-list-page.tsx";

export const Route = createFileRoute("/_app/guests")({
  staticData: { titleKey: "nav.guests" },
  validateSearch: guestSearch,
  component: Guests,
});

function Guests() {
  return <GuestListPage search={Route.useSearch()} />;
}
