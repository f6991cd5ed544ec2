import { createFileRoute } from "@tanstack/react-router";
import { PersonalCenter } from "@/pages/personal-center.tsx";

export const Route = createFileRoute("/_app/center/personalCenter")({
  staticData: { titleKey: "nav.personalCenter" },
  component: PersonalCenter,
});
