import type { PasscodeRow } from "@innkey/shared/schemas/access/passcodes";
import { useMutation } from "@tanstack/react-query";
import { Clock, Copy, Eye, RefreshCw, Trash2 } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import { HoursDialog } from "@/entities/credential/hours-dialog.tsx";
import { copyText } from "@/lib/browser/copy-text.ts";
import { confirm } from "@/lib/confirm.ts";
import { t } from "@/lib/i18n.ts";
import { failureOf, failureText } from "@/lib/rest.ts";
import { useCan } from "@/lib/session.ts";
import { toast } from "@/lib/toast.ts";
import { trpc } from "@/lib/trpc.ts";
import { ActionButton } from "@/ui/action/action-button.tsx";
import { Callout } from "@/ui/callout.tsx";
import { DialogPanel } from "@/ui/dialog/panel.tsx";
import { Button } from "@/ui/primitives/button.tsx";
import { Dialog } from "@/ui/primitives/dialog.tsx";
import { Skeleton } from "@/ui/primitives/skeleton.tsx";
import type { RowAction } from "@/ui/table/table-model.ts";

const GROUP_SIZE = 3;

/** Shows a code in large digits, in groups of three, always left to right. */
export function CodeDigits({ code }: { code: string }) {
  const groups = code.match(new RegExp(`.{1,${GROUP_SIZE}}`, "g")) ?? [];
  return (
    <p
      dir="ltr"
      className="flex justify-center gap-5 font-mono text-[44px]/none font-semibold tracking-[0.12em] tabular-nums"
    >
      {groups.map((group, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the groups of a code never change places
        <span key={index}>{group}</span>
      ))}
    </p>
  );
}

const VISIBLE_SECONDS = 20;

type RevealDialogProps = {
  person: string;
  /** Undefined while the code is loading and after it was hidden again. */
  code: string | undefined;
  pending: boolean;
  error: unknown;
  onHide: () => void;
  onShow: () => void;
  onClose: () => void;
};

/** Shows a code in plain text for a limited time. */
function RevealDialog({ person, code, pending, error, onHide, onShow, onClose }: RevealDialogProps) {
  useEffect(() => {
    if (code === undefined) return;
    const timer = setTimeout(onHide, VISIBLE_SECONDS * 1000);
    return () => clearTimeout(timer);
  }, [code, onHide]);

  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogPanel
        width="sm"
        title={t("passcode.codeFor", { person })}
        footer={
          <ActionButton needsServer={false} onClick={onClose}>
            {t("common.close")}
          </ActionButton>
        }
      >
        {error ? (
          <Callout tone="danger" title={failureText(failureOf(error))} />
        ) : (
          <div className="grid min-h-36 place-content-center justify-items-center gap-4 rounded-lg bg-sunken px-4 py-6">
            {pending ? <Skeleton className="h-11 w-56" /> : <CodeDigits code={code ?? "••••••"} />}
            {code === undefined ? (
              <ActionButton variant="outline" size="sm" pending={pending} onClick={onShow}>
                <Eye aria-hidden />
                {t("passcode.show")}
              </ActionButton>
            ) : (
              <Button variant="outline" size="sm" onClick={() => void copyText(code)}>
                <Copy aria-hidden />
                {t("passcode.copy")}
              </Button>
            )}
          </div>
        )}
        <p className="mt-3 text-sm text-pretty text-muted-foreground">{t("passcode.hiddenAgain")}</p>
      </DialogPanel>
    </Dialog>
  );
}

type PasscodeActs = {
  /** Actions for a live code; empty for one that has ended. */
  actions: (passcode: PasscodeRow, isLive: boolean) => RowAction<PasscodeRow>[];
  /** Must be rendered beside the element that offers the actions. */
  dialog: ReactNode;
};

/** Retries the locks that failed to accept a code. Each of them is sent everything that failed there. */
export function useRetryPasscode(): { retryPasscode: (passcode: PasscodeRow) => Promise<void>; isRetrying: boolean } {
  const retry = useMutation(trpc.locks.retry.mutationOptions());
  return {
    isRetrying: retry.isPending,
    retryPasscode: async ({ credentials }) => {
      const lockIds = new Set(credentials.filter(({ state }) => state === "failed").map(({ lockId }) => lockId));
      await Promise.allSettled([...lockIds].map((lockId) => retry.mutateAsync({ lockId })));
    },
  };
}

/** Actions on a code, shared by all lists that show one. */
export function usePasscodeActs(): PasscodeActs {
  const can = useCan();
  const [revealedPasscode, setRevealedPasscode] = useState<PasscodeRow | null>(null);
  const reveal = useMutation(trpc.passcodes.reveal.mutationOptions({ meta: { shownInForm: true }, gcTime: 0 }));
  const remove = useMutation(trpc.passcodes.remove.mutationOptions());
  const [passcodeToTime, setPasscodeToTime] = useState<PasscodeRow | null>(null);
  const setHours = useMutation(trpc.passcodes.setHours.mutationOptions({ meta: { shownInForm: true } }));
  const { retryPasscode } = useRetryPasscode();

  function show(passcode: PasscodeRow): void {
    setRevealedPasscode(passcode);
    reveal.mutate({ passcodeId: passcode.id });
  }

  function askToRemove({ id, person, type }: PasscodeRow): void {
    void confirm({
      title: t("passcode.removeTitle", { person }),
      description: type === "one_time" ? t("passcode.removeOnceText") : t("passcode.removeText"),
      confirmLabel: t("passcode.remove"),
      tone: "danger",
      action: async () => {
        await remove.mutateAsync({ passcodeId: id });
        toast.success(t("passcode.removed", { person }));
      },
    });
  }

  return {
    actions: (passcode, isLive) => {
      if (!isLive || passcode.deletedAt !== null) return [];
      const hasFailed = passcode.credentials.some(({ state }) => state === "failed");
      const retryAction = {
        label: t("locks.mend.retry_lock"),
        icon: RefreshCw,
        onSelect: (row: PasscodeRow) => void retryPasscode(row),
      };
      const hasHours = passcode.stayId === null && passcode.type !== "one_time";
      const hoursAction = { label: t("card.hours.change"), icon: Clock, onSelect: setPasscodeToTime };
      const manageActions = [
        { label: t("passcode.show"), icon: Eye, onSelect: show },
        ...(hasHours ? [hoursAction] : []),
        { label: t("passcode.remove"), icon: Trash2, danger: true, onSelect: askToRemove },
      ];
      return [
        ...(hasFailed && can("locks.retry") ? [retryAction] : []),
        ...(can("passcodes.issue") ? manageActions : []),
      ];
    },
    dialog: passcodeToTime ? (
      <HoursDialog
        hours={passcodeToTime.hours}
        onClose={() => setPasscodeToTime(null)}
        onSave={async (hours) => {
          await setHours.mutateAsync({ passcodeId: passcodeToTime.id, hours });
          toast.success(t("card.hours.done", { card: passcodeToTime.person }));
        }}
      />
    ) : (
      revealedPasscode && (
        <RevealDialog
          person={revealedPasscode.person}
          code={reveal.data?.code}
          pending={reveal.isPending}
          error={reveal.error}
          onShow={() => reveal.mutate({ passcodeId: revealedPasscode.id })}
          onHide={reveal.reset}
          onClose={() => {
            reveal.reset();
            setRevealedPasscode(null);
          }}
        />
      )
    ),
  };
}
