import { createFileRoute } from "@tanstack/react-router";
import { PublicLayout } from "@/shell/public-layout.tsx";

export const Route = createFileRoute("/_public")({
  // Whoever comes without a session needs these two at once: part of the first load.
  codeSplitGroupings: [],
  component: PublicLayout,
});
