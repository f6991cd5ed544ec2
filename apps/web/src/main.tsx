import "./styles/index.css";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { startTexts } from "./lib/i18n.ts";
import { startTheme } from "./lib/theme.ts";
import { queryClient } from "./lib/trpc.ts";
import { router } from "./router.tsx";

// After an update the server no longer has the parts of the page that this tab was loaded from: start over with the new ones.
window.addEventListener("vite:preloadError", () => location.reload());

startTheme();
await startTexts();

const root = document.getElementById("root");
if (!root) throw new Error("index.html has no #root");
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
