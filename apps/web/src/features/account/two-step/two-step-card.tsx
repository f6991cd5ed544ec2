import { useMutation, useQuery } from "@tanstack/react-query";
import { ArrowRight, KeyRound, Plus, ScrollText, ShieldCheck, Smartphone } from "lucide-react";
import { type ReactNode, useState } from "react";
import { confirm } from "@/lib/confirm.ts";
import { formatNumber, formatRelative } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import { passkeysWork } from "@/lib/login/passkeys-work.ts";
import { toast } from "@/lib/toast.ts";
import { trpc } from "@/lib/trpc.ts";
import { ActionButton } from "@/ui/action/action-button.tsx";
import { Callout } from "@/ui/callout.tsx";
import { CardHeading } from "@/ui/card-parts.tsx";
import { PublicHeading } from "@/ui/page-header.tsx";
import { ErrorState } from "@/ui/page-state.tsx";
import { Card } from "@/ui/primitives/card.tsx";
import { Skeleton } from "@/ui/primitives/skeleton.tsx";
import { StatusChip } from "@/ui/status-chip.tsx";
import { SignOutInstead, useContinueTo } from "../login/sign-out.tsx";
import { PasskeyDialog, PasskeyLine } from "./passkey-line.tsx";
import { AppDialog, type AppSetup, RecoveryCodesDialog, useProof } from "./two-step-dialogs.tsx";

const MIN_RECOVERY_CODES = 3;
const shownInForm = { meta: { shownInForm: true } } as const;

/** The staff member's own second factors: authenticator app, passkeys and recovery codes. */
export function TwoStepCard() {
  const { data, error, refetch } = useQuery(trpc.twoStep.state.queryOptions());
  const { withProof, dialog } = useProof();
  const beginTotp = useMutation(trpc.twoStep.beginTotp.mutationOptions(shownInForm));
  const removeTotp = useMutation(trpc.twoStep.removeTotp.mutationOptions(shownInForm));
  const newCodes = useMutation(trpc.twoStep.newRecoveryCodes.mutationOptions(shownInForm));
  const [appSetup, setAppSetup] = useState<AppSetup>();
  const [isNaming, setIsNaming] = useState(false);
  const [codes, setCodes] = useState<string[]>();

  function showAdded(recoveryCodes: string[] | null, message: string): void {
    void refetch();
    if (recoveryCodes) setCodes(recoveryCodes);
    toast.success(message);
  }

  async function setUpApp(): Promise<void> {
    const setup = await withProof(() => beginTotp.mutateAsync());
    if (setup) setAppSetup(setup);
  }

  async function turnOffApp(): Promise<void> {
    const confirmed = await confirm({
      title: t("twoStep.removeAppTitle"),
      description: t("twoStep.removeAppText"),
      confirmLabel: t("twoStep.remove"),
      tone: "danger",
    });
    if (!confirmed || !(await withProof(() => removeTotp.mutateAsync()))) return;
    toast.success(t("twoStep.appRemoved"));
    void refetch();
  }

  async function replaceCodes(): Promise<void> {
    const confirmed = await confirm({
      title: t("twoStep.newCodesTitle"),
      description: t("twoStep.newCodesText"),
      confirmLabel: t("twoStep.newCodes"),
    });
    const codes = confirmed && (await withProof(() => newCodes.mutateAsync()));
    if (!codes) return;
    setCodes(codes.recoveryCodes);
    void refetch();
  }

  return (
    <Card>
      <CardHeading
        title={t("twoStep.title")}
        description={t("twoStep.text")}
        actions={
          data?.on && (
            <StatusChip tone="success" icon={ShieldCheck} size="sm">
              {t("twoStep.on")}
            </StatusChip>
          )
        }
      />
      {error && !data ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : data ? (
        <div className="divide-y border-t">
          <Part
            icon={<Smartphone aria-hidden />}
            title={t("twoStep.app")}
            text={data.totpSince ? t("twoStep.since", { when: formatRelative(data.totpSince) }) : t("twoStep.appHint")}
          >
            <ActionButton variant="outline" size="sm" onClick={() => void setUpApp()}>
              {data.totpSince ? t("twoStep.replaceApp") : t("twoStep.setUp")}
            </ActionButton>
            {data.totpSince && (
              <ActionButton size="sm" variant="ghost-destructive" onClick={() => void turnOffApp()}>
                {t("twoStep.remove")}
              </ActionButton>
            )}
          </Part>
          <div>
            <Part icon={<KeyRound aria-hidden />} title={t("twoStep.passkeys")} text={t("twoStep.passkeysHint")}>
              {passkeysWork() ? (
                <ActionButton variant="outline" size="sm" onClick={() => setIsNaming(true)}>
                  <Plus aria-hidden />
                  {t("twoStep.addPasskey")}
                </ActionButton>
              ) : (
                <p className="text-sm text-muted-foreground">{t("twoStep.needsHttps")}</p>
              )}
            </Part>
            {data.passkeys.length > 0 && (
              <ul className="pb-3">
                {data.passkeys.map((passkey) => (
                  <PasskeyLine
                    key={passkey.id}
                    passkey={passkey}
                    withProof={withProof}
                    onChanged={() => void refetch()}
                  />
                ))}
              </ul>
            )}
          </div>
          {data.on && (
            <Part
              icon={<ScrollText aria-hidden />}
              title={t("twoStep.recoveryCodes")}
              text={t("twoStep.codesLeft", {
                count: data.recoveryCodesLeft,
                formatted: formatNumber(data.recoveryCodesLeft),
              })}
            >
              <ActionButton variant="outline" size="sm" onClick={() => void replaceCodes()}>
                {t("twoStep.newCodes")}
              </ActionButton>
            </Part>
          )}
          {data.on && data.recoveryCodesLeft < MIN_RECOVERY_CODES && (
            <Callout tone="warning" title={t("twoStep.fewCodes")} className="m-4" />
          )}
        </div>
      ) : (
        <Skeleton className="m-5 h-24" />
      )}
      {dialog}
      {appSetup && (
        <AppDialog
          setup={appSetup}
          onClose={() => setAppSetup(undefined)}
          onAdded={(recoveryCodes) => {
            setAppSetup(undefined);
            showAdded(recoveryCodes, t("twoStep.appAdded"));
          }}
        />
      )}
      {isNaming && (
        <PasskeyDialog
          withProof={withProof}
          onClose={() => setIsNaming(false)}
          onAdded={(recoveryCodes) => {
            setIsNaming(false);
            showAdded(recoveryCodes, t("twoStep.passkeyAdded"));
          }}
        />
      )}
      {codes && <RecoveryCodesDialog codes={codes} onClose={() => setCodes(undefined)} />}
    </Card>
  );
}

type PartProps = { icon: ReactNode; title: string; text: string; children: ReactNode };

function Part({ icon, title, text, children }: PartProps) {
  return (
    <div className="flex gap-4 px-5 py-4">
      <span className="mt-0.5 text-muted-foreground [&_svg]:size-5">{icon}</span>
      <div className="min-w-0 flex-1">
        <h3 className="font-medium">{title}</h3>
        <p className="text-sm text-pretty text-muted-foreground">{text}</p>
        <div className="mt-2.5 flex flex-wrap gap-2">{children}</div>
      </div>
    </div>
  );
}

/**
 * Shown to staff members who must set up a second factor, because their hotel requires one, before they can do anything
 * else.
 */
export function SetUpPage({ next }: { next: string }) {
  const continueToPage = useContinueTo(next);
  const { data } = useQuery(trpc.twoStep.state.queryOptions());

  return (
    <>
      <PublicHeading title={t("twoStep.dueTitle")} text={t("twoStep.dueText")} />
      <TwoStepCard />
      <div className="mt-6 grid gap-2">
        {data?.on && (
          <ActionButton size="lg" onClick={() => void continueToPage()} className="w-full">
            {t("twoStep.goOn")}
            <ArrowRight aria-hidden className="flip-rtl" />
          </ActionButton>
        )}
        <SignOutInstead />
      </div>
    </>
  );
}
