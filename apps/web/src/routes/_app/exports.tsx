import { createFileRoute } from "@tanstack/react-router";
import { ExportListPage } from "@/features/data/exports/export-list-page.tsx";

export const Route = createFileRoute("/_app/exports")({
  staticData: { titleKey: "nav.exports" },
  component: ExportListPage,
});
