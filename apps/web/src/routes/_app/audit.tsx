import { createFileRoute } from "@tanstack/react-router";
import { AuditPage } from "@/features/data/audit/audit-page.tsx";

export const Route = createFileRoute("/_app/audit")({ staticData: { titleKey: "nav.audit" }, component: AuditPage });
