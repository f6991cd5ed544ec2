import { createFileRoute } from "@tanstack/react-router";
import { AuditPage } from "@/features/data/audit/audit-page.tsx";
import { auditSearch } from "@/features/data/audit/audit-search.ts";

export const Route = createFileRoute("/_app/audit")({
  staticData: { titleKey: "nav.audit" },
  validateSearch: auditSearch,
  component: Audit,
});

function Audit() {
  return <AuditPage search={Route.useSearch()} />;
}
