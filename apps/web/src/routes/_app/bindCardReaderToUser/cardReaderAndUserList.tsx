import { createFileRoute } from "@tanstack/react-router";
import { EncoderListPage } from "@/features/readers/list/encoder-list-page.tsx";
import { encoderSearch } from "@/features/readers/list/encoder-search.ts";

export const Route = createFileRoute("/_app/bindCardReaderToUser/cardReaderAndUserList")({
  staticData: { titleKey: "nav.encoders" },
  validateSearch: encoderSearch,
  component: Encoders,
});

function Encoders() {
  return <EncoderListPage search={Route.useSearch()} />;
}
