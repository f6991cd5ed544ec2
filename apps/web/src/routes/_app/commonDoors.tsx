import { createFileRoute } from "@tanstack/react-router";
import { CommonDoorsScreen } from "@/features/locks/common-doors/common-doors-screen.tsx";

export const Route = createFileRoute("/_app/commonDoors")({
  staticData: { titleKey: "nav.commonDoors" },
  component: CommonDoorsScreen,
});
