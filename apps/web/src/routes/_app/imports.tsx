import { createFileRoute } from "@tanstack/react-router";
import { ImportPage } from "@/features/data/imports/import-page.tsx";
import { importSearch } from "@/features/data/imports/import-search.ts";

export const Route = createFileRoute("/_app/imports")({
  staticData: { titleKey: "nav.imports" },
  validateSearch: importSearch,
  component: Imports,
});

function Imports() {
  return <ImportPage kind={Route.useSearch().kind} />;
}
