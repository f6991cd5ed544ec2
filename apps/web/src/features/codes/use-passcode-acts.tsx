import type { PasscodeRow } from "@innkey/shared/schemas/passcodes";
import { useMutation } from "@tanstack/react-query";
import { Eye, RefreshCw, Trash2 } from "lucide-react";
import { type ReactNode, useState } from "react";
import { confirm } from "@/lib/confirm.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { refreshEverything } from "@/lib/refresh.ts";
import { useCan } from "@/lib/session.ts";
import { toast } from "@/lib/toast.ts";
import { trpc } from "@/lib/trpc.ts";
import type { RowAction } from "@/ui/table/columns.ts";
import { RevealDialog } from "./reveal-dialog.tsx";

type PasscodeActs = {
  /** Actions for a live code; empty for one that has ended. */
  actions: (passcode: PasscodeRow, live: boolean) => RowAction<PasscodeRow>[];
  /** Must be rendered beside the element that offers the actions. */
  dialog: ReactNode;
};

/** Sends a code again to the locks that have not accepted it. */
export function useTryAgain(): { tryAgain: (passcode: PasscodeRow) => Promise<void>; trying: boolean } {
  const retry = useMutation(trpc.locks.retry.mutationOptions());
  return {
    trying: retry.isPending,
    tryAgain: async ({ credentials }) => {
      const lockIds = new Set(credentials.filter(({ state }) => state === "failed").map(({ lockId }) => lockId));
      await Promise.allSettled([...lockIds].map((lockId) => retry.mutateAsync({ lockId })));
      refreshEverything();
    },
  };
}

/** Actions on a code, shared by all lists that show one. */
export function usePasscodeActs(): PasscodeActs {
  const { t } = useTranslation();
  const can = useCan();
  const [revealed, setRevealed] = useState<PasscodeRow | null>(null);
  const reveal = useMutation(trpc.passcodes.reveal.mutationOptions({ meta: { shownInForm: true }, gcTime: 0 }));
  const remove = useMutation(trpc.passcodes.remove.mutationOptions());
  const { tryAgain } = useTryAgain();

  function show(passcode: PasscodeRow): void {
    setRevealed(passcode);
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
        refreshEverything();
        toast.success(t("passcode.removed", { person }));
      },
    });
  }

  return {
    actions: (passcode, live) => {
      if (!live || passcode.deletedAt !== null) return [];
      const failed = passcode.credentials.some(({ state }) => state === "failed");
      const again = {
        label: t("locks.mend.retry_lock"),
        icon: RefreshCw,
        onSelect: (row: PasscodeRow) => void tryAgain(row),
      };
      const own = [
        { label: t("passcode.show"), icon: Eye, onSelect: show },
        { label: t("passcode.remove"), icon: Trash2, danger: true, onSelect: askToRemove },
      ];
      return [...(failed && can("locks.retry") ? [again] : []), ...(can("passcodes.issue") ? own : [])];
    },
    dialog: revealed && (
      <RevealDialog
        person={revealed.person}
        code={reveal.data?.code}
        pending={reveal.isPending}
        error={reveal.error}
        onShow={() => reveal.mutate({ passcodeId: revealed.id })}
        onHide={reveal.reset}
        onClose={() => {
          reveal.reset();
          setRevealed(null);
        }}
      />
    ),
  };
}
