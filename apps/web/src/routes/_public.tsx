import { createFileRoute } from "@tanstack/react-router";
import { PublicLayout } from "@/shell/public-layout.tsx";

export const Route = createFileRoute("/_public")({
  // Visitors without a session need these two at once, so they are part of the first load.
  codeSplitGroupings: [],
  component: PublicLayout,
});
