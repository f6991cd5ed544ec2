import { createFileRoute } from "@tanstack/react-router";
import { GroupsScreen } from "@/features/settings/groups/groups-screen.tsx";

export const Route = createFileRoute("/_app/groups")({
  staticData: { titleKey: "nav.groups" },
  component: GroupsScreen,
});
