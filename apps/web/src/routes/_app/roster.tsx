import { createFileRoute } from "@tanstack/react-router";
import { RosterPage } from "@/features/data/rosters/roster-page.tsx";

export const Route = createFileRoute("/_app/roster")({
  staticData: { titleKey: "nav.roster" },
  component: RosterPage,
});
