import { createFileRoute } from "@tanstack/react-router";
import * as z from "zod/mini";
import { localPath } from "@/features/account/login/guard.ts";
import { SetUpPage } from "@/features/account/two-step/two-step-card.tsx";
import { appTexts } from "@/lib/i18n.ts";
import { text } from "@/lib/search-params.ts";

export const Route = createFileRoute("/_public/two-step")({
  staticData: { titleKey: "twoStep.dueTitle" },
  validateSearch: z.object({ redirect: text(2000) }),
  beforeLoad: () => appTexts(),
  component: TwoStep,
});

function TwoStep() {
  const { redirect } = Route.useSearch();
  return <SetUpPage next={localPath(redirect)} />;
}
