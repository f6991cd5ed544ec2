import { createFileRoute } from "@tanstack/react-router";
import { RiskScreen } from "@/features/locks/pending-revocations-screen.tsx";

export const Route = createFileRoute("/_app/risk")({ staticData: { titleKey: "nav.risk" }, component: RiskScreen });
