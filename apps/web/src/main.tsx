import "./styles/index.css";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { startTheme } from "@/lib/browser/theme.ts";
import { appTexts, startTexts } from "@/lib/i18n.ts";
import { watchConnection } from "@/lib/loading/connection.ts";
import { ignoreFailure, loadOrReload, logCaughtError, watchMissingParts } from "@/lib/loading/missing-part.ts";
import { queryClient } from "@/lib/query-client.ts";
import { failureOf } from "@/lib/rest.ts";
import { addTemporal } from "@/lib/time/temporal.ts";
import { router } from "./router.tsx";

/** Preloads the route's code in parallel with the session request. */
function preloadRoute(): void {
  const [matchedRoutes] = router.getMatchedRoutes(location.pathname);
  for (const route of matchedRoutes) ignoreFailure(router.loadRouteChunk(route));
  const isInside = matchedRoutes.some((route) => route.id === "/_app");
  if (isInside && !matchedRoutes.some((route) => route.id === "/_app/room/")) ignoreFailure(appTexts());
}

watchMissingParts();
watchConnection();
startTheme();
preloadRoute();
await loadOrReload(Promise.all([startTexts(), addTemporal()]));

const root = document.getElementById("root");
if (!root) throw new Error("index.html has no #root");
createRoot(root, {
  onCaughtError: (error, info) => {
    // That the server is away is shown in place of the page, and no fault of the code.
    if (failureOf(error).code !== "network") void logCaughtError(error, info);
  },
}).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
