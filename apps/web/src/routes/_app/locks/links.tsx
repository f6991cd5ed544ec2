import { createFileRoute } from "@tanstack/react-router";
import { LinksScreen } from "@/features/locks/links/links-screen.tsx";

export const Route = createFileRoute("/_app/locks/links")({
  staticData: { titleKey: "locks.links.title", trail: [{ to: "/locks", titleKey: "nav.locks" }] },
  component: LinksScreen,
});
