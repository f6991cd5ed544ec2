import { createFileRoute } from "@tanstack/react-router";
import { BatteryPage } from "@/features/locks/batteries/battery-page.tsx";

export const Route = createFileRoute("/_app/locks/batteries")({
  staticData: { titleKey: "locks.battery.title", trail: [{ to: "/locks", titleKey: "nav.locks" }] },
  component: BatteryPage,
});
