import { createFileRoute } from "@tanstack/react-router";
import { EntryListPage } from "@/features/money/entries/entry-list-page.tsx";
import { entrySearch } from "@/features/money/money-search.ts";

export const Route = createFileRoute("/_app/orders")({
  staticData: { titleKey: "nav.folio" },
  validateSearch: entrySearch,
  component: Entries,
});

function Entries() {
  return <EntryListPage search={Route.useSearch()} />;
}
