import { createFileRoute } from "@tanstack/react-router";
import { TemplateListPage } from "@/features/money/price-templates/template-list-page.tsx";

export const Route = createFileRoute("/_app/priceTemplates")({
  staticData: { titleKey: "nav.priceTemplates" },
  component: TemplateListPage,
});
