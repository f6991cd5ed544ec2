import { createFileRoute, useRouter } from "@tanstack/react-router";
import { PublicHeading } from "@/components/shell/public-heading.tsx";
import { localPath } from "@/features/auth/guard.ts";
import { LoginForm } from "@/features/auth/login-form.tsx";
import { deskTexts, useTranslation } from "@/lib/i18n.ts";
import { searchOf, text } from "@/lib/search-params.ts";
import { type Me, rememberSession } from "@/lib/session.ts";

export const Route = createFileRoute("/_public/login")({
  codeSplitGroupings: [],
  staticData: { titleKey: "nav.login" },
  validateSearch: searchOf({ redirect: text(2000) }),
  component: Login,
});

function Login() {
  const { t } = useTranslation();
  const router = useRouter();
  const { redirect } = Route.useSearch();

  async function enter(me: Me): Promise<void> {
    rememberSession(me);
    await deskTexts();
    await router.navigate({ href: localPath(redirect), replace: true });
  }

  return (
    <>
      <PublicHeading title={t("auth.loginTitle")} text={t("auth.loginText")} />
      <LoginForm onLogin={enter} />
    </>
  );
}
