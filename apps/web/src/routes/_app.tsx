import { createFileRoute } from "@tanstack/react-router";
import { appTexts } from "@/lib/i18n.ts";
import { isMissingPart } from "@/lib/loading/missing-part.ts";
import { AppFrame } from "@/shell/app-frame.tsx";

/**
 * Every page but the board needs the remaining texts; the previous page stays until they are loaded. If they can't be
 * loaded now, the frame says so in place of the page.
 */
export const Route = createFileRoute("/_app")({
  beforeLoad: async ({ matches }) => {
    if (!matches.some((match) => match.routeId === "/_app/room/")) await appTexts().catch(ignoreMissingPart);
  },
  pendingMs: Number.POSITIVE_INFINITY,
  component: () => <AppFrame />,
});

function ignoreMissingPart(error: unknown): void {
  if (!isMissingPart(error)) throw error;
}
