import { createFileRoute } from "@tanstack/react-router";
import { GetReadyScreen } from "@/pages/get-ready-screen.tsx";

export const Route = createFileRoute("/_app/getReady")({
  staticData: { titleKey: "nav.getReady" },
  component: GetReadyScreen,
});
