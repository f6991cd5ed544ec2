import { createFileRoute } from "@tanstack/react-router";
import { cardReaderSearch } from "@/features/card-readers/card-reader-search.ts";
import { CardReaderListPage } from "@/features/card-readers/list/card-reader-list-page.tsx";

export const Route = createFileRoute("/_app/bindCardReaderToUser/cardReaderAndUserList")({
  staticData: { titleKey: "nav.cardReaders" },
  validateSearch: cardReaderSearch,
  component: CardReaders,
});

function CardReaders() {
  return <CardReaderListPage search={Route.useSearch()} />;
}
