import { createFileRoute } from "@tanstack/react-router";
import { CardReaderListPage } from "@/features/card-readers/list/card-reader-list-page.tsx";
import { cardReaderSearch } from "@/features/card-readers/card-reader-search.ts";

export const Route = createFileRoute("/_app/bindCardReaderToUser/cardReaderAndUserList")({
  staticData: { titleKey: "nav.cardReaders" },
  validateSearch: cardReaderSearch,
  component: CardReaders,
});

function CardReaders() {
  return <CardReaderListPage search={Route.useSearch()} />;
}
