import type { LoginOutput } from "@innkey/shared/schemas/identity/auth";
import type { SecondStep } from "@innkey/shared/schemas/identity/two-step";
import { createFileRoute, useRouter } from "@tanstack/react-router";
import { Suspense, useState } from "react";
import * as z from "zod/mini";
import { localPath } from "@/features/account/login/guard.ts";
import { LoginForm } from "@/features/account/login/login-form.tsx";
import { appTexts, t } from "@/lib/i18n.ts";
import { lazyPart } from "@/lib/loading/app-lazy.ts";
import { loadOrReload } from "@/lib/loading/missing-part.ts";
import { DUTY_PAGES } from "@/lib/login/failed-call.ts";
import { text } from "@/lib/search-params.ts";
import { type Me, rememberDue, rememberSession } from "@/lib/session.ts";
import { PublicHeading } from "@/ui/page-header.tsx";

const secondStepPage = () => import("@/features/account/two-step/second-step.tsx");
const SecondStepPage = lazyPart(secondStepPage);

export const Route = createFileRoute("/_public/login")({
  codeSplitGroupings: [],
  staticData: { titleKey: "nav.login" },
  validateSearch: z.object({ redirect: text(2000) }),
  component: Login,
});

function Login() {
  const router = useRouter();
  const { redirect } = Route.useSearch();
  const [step, setStep] = useState<SecondStep>();

  async function enter(me: Me): Promise<void> {
    rememberSession(me);
    await router.navigate({ href: localPath(redirect), replace: true });
  }

  async function continueLogin(answer: LoginOutput): Promise<void> {
    if (answer.next === "enter") return enter(answer);
    if (answer.next === "second_factor") {
      await loadOrReload(Promise.all([appTexts(), secondStepPage()]));
      return setStep(answer);
    }
    rememberDue(answer.due);
    await router.navigate({ to: DUTY_PAGES[answer.due], search: { redirect }, replace: true });
  }

  if (step) {
    return (
      <Suspense>
        <SecondStepPage step={step} onLogin={enter} onBack={() => setStep(undefined)} />
      </Suspense>
    );
  }
  return (
    <>
      <PublicHeading title={t("auth.loginTitle")} text={t("auth.loginText")} />
      <LoginForm onLogin={continueLogin} />
    </>
  );
}
