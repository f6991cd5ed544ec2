import { useQuery } from "@tanstack/react-query";
import { ArrowRight } from "lucide-react";
import { useTranslation } from "@/lib/i18n.ts";
import { trpc } from "@/lib/trpc.ts";
import { Button } from "@/ui/primitives/button.tsx";
import { PublicHeading } from "@/ui/public-heading.tsx";
import { SignOutInstead } from "../login/sign-out-instead.tsx";
import { useGoOn } from "../login/use-go-on.ts";
import { TwoStepCard } from "./two-step-card.tsx";

/**
 * Shown to staff members who must set up a second factor, because their hotel requires one, before they can do anything
 * else.
 */
export function SetUpPage({ next }: { next: string }) {
  const { t } = useTranslation();
  const goOn = useGoOn(next);
  const { data } = useQuery(trpc.twoStep.state.queryOptions());

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
        <SignOutInstead />
      </div>
    </>
  );
}
