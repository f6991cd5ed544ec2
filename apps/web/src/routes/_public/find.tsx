import { createFileRoute, Link, useNavigate } from "@tanstack/react-router";
import { ArrowLeft } from "lucide-react";
import { useState } from "react";
import { ResetForm, SendCodeForm, type SentCode } from "@/features/account/login/reset-form.tsx";
import { formatNumber } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import { toast } from "@/lib/toast.ts";
import { PublicHeading } from "@/ui/page-header.tsx";

export const Route = createFileRoute("/_public/find")({
  staticData: { titleKey: "nav.find" },
  component: Find,
});

function Find() {
  const navigate = useNavigate();
  const [account, setAccount] = useState("");
  const [sent, setSent] = useState<SentCode>();

  function sentText({ account: to, expiresInSeconds }: SentCode): string {
    return t("auth.codeSent", {
      account: `\u2068${to}\u2069`,
      minutes: formatNumber(Math.round(expiresInSeconds / 60)),
    });
  }

  async function finish(): Promise<void> {
    toast.success(t("auth.resetDone"));
    await navigate({ to: "/login", replace: true });
  }

  return (
    <>
      <PublicHeading title={t("auth.findTitle")} text={sent ? sentText(sent) : t("auth.findText")} />
      {sent ? (
        <ResetForm sent={sent} onAgain={() => setSent(undefined)} onReset={finish} />
      ) : (
        <SendCodeForm
          account={account}
          onSent={(next) => {
            setAccount(next.account);
            setSent(next);
          }}
        />
      )}
      <p className="mt-6 text-center">
        <Link
          to="/login"
          className="inline-flex min-h-6 items-center gap-1.5 rounded-sm text-muted-foreground hover:text-foreground hover:underline"
        >
          <ArrowLeft aria-hidden className="flip-rtl size-4" />
          {t("auth.toLogin")}
        </Link>
      </p>
    </>
  );
}
