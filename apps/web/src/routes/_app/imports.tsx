import { createFileRoute } from "@tanstack/react-router";
import * as z from "zod/mini";
import { ImportPage } from "@/features/data/imports/import-page.tsx";
import { oneOf } from "@/lib/search-params.ts";

const IMPORT_TABS = ["rooms", "guests", "customers"] as const;

const importSearch = z.object({ kind: oneOf(IMPORT_TABS) });

export const Route = createFileRoute("/_app/imports")({
  staticData: { titleKey: "nav.imports" },
  validateSearch: importSearch,
  component: Imports,
});

function Imports() {
  return <ImportPage kind={Route.useSearch().kind} />;
}
