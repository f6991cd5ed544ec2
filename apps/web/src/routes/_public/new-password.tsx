import { createFileRoute } from "@tanstack/react-router";
import * as z from "zod/mini";
import { NewPasswordPage } from "@/features/account/login/change-password.tsx";
import { localPath } from "@/features/account/login/guard.ts";
import { appTexts } from "@/lib/i18n.ts";
import { text } from "@/lib/search-params.ts";

export const Route = createFileRoute("/_public/new-password")({
  staticData: { titleKey: "newPassword.title" },
  validateSearch: z.object({ redirect: text(2000) }),
  beforeLoad: () => appTexts(),
  component: NewPassword,
});

function NewPassword() {
  const { redirect } = Route.useSearch();
  return <NewPasswordPage next={localPath(redirect)} />;
}
