import { createFileRoute } from "@tanstack/react-router";
import { AfterOutagePage } from "@/features/stays/after-outage/after-outage-page.tsx";

export const Route = createFileRoute("/_app/afterOutage")({
  staticData: { titleKey: "nav.afterOutage" },
  component: AfterOutagePage,
});
