import { useQuery } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { ArrowRight, LogOut } from "lucide-react";
import { PublicHeading } from "@/components/shell/public-heading.tsx";
import { Button } from "@/components/ui/button.tsx";
import { useSignOut } from "@/features/auth/use-sign-out.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { forgetSession } from "@/lib/session.ts";
import { trpc } from "@/lib/trpc.ts";
import { TwoStepCard } from "./two-step-card.tsx";

/** For who may do nothing else yet: their hotel asks for a second factor. */
export function SetUpPage({ next }: { next: string }) {
  const { t } = useTranslation();
  const router = useRouter();
  const signOut = useSignOut();
  const { data } = useQuery(trpc.twoStep.state.queryOptions());

  async function goOn(): Promise<void> {
    forgetSession();
    await router.navigate({ href: next, replace: true });
  }

  return (
    <>
      <PublicHeading title={t("twoStep.dueTitle")} text={t("twoStep.dueText")} />
      <TwoStepCard />
      <div className="mt-6 grid gap-2">
        {data?.on && (
          <Button variant="primary" size="lg" wide onClick={() => void goOn()}>
            {t("twoStep.goOn")}
            <ArrowRight aria-hidden className="flip-rtl" />
          </Button>
        )}
        <Button variant="ghost" className="justify-self-center" onClick={() => void signOut()}>
          <LogOut aria-hidden className="flip-rtl" />
          {t("shell.signOut")}
        </Button>
      </div>
    </>
  );
}
