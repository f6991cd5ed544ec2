import { createFileRoute } from "@tanstack/react-router";
import * as z from "zod/mini";
import { CardReaderPage } from "@/features/card-readers/card-reader-page.tsx";
import { READER_TABS } from "@/features/card-readers/card-reader-search.ts";
import { oneOf } from "@/lib/search-params.ts";

export const Route = createFileRoute("/_app/reader")({
  staticData: { titleKey: "nav.cardReader" },
  validateSearch: z.object({ tab: oneOf(READER_TABS) }),
  component: Reader,
});

function Reader() {
  const { tab = "card" } = Route.useSearch();
  const navigate = Route.useNavigate();
  return <CardReaderPage tab={tab} onTab={(next) => void navigate({ search: { tab: next }, replace: true })} />;
}
