import type { LockRow } from "@innkey/shared/schemas/access/locks";
import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { confirm } from "@/lib/confirm.ts";
import { t } from "@/lib/i18n.ts";
import { toast } from "@/lib/toast.ts";
import { trpc } from "@/lib/trpc.ts";

type LockName = Pick<LockRow, "id" | "mac" | "roomName">;

/** Returns the actions on a lock that its row and its page share. */
export function useLockActs() {
  const navigate = useNavigate();
  const retry = useMutation(
    trpc.locks.retry.mutationOptions({
      onSuccess: ({ retried }) => toast.success(retried > 0 ? t("locks.retried") : t("locks.nothingWaits")),
    }),
  );
  const remove = useMutation(trpc.locks.remove.mutationOptions());
  const reset = useMutation(trpc.locks.resetSequence.mutationOptions());
  const lift = useMutation(trpc.locks.liftBlock.mutationOptions());
  return {
    isRetrying: retry.isPending,
    tryNow: ({ id }: { id: number }) => retry.mutate({ lockId: id }),
    askToLiftBlock: ({ id }: { id: number }): void => {
      void confirm({
        title: t("blockOut.liftTitle"),
        description: t("blockOut.liftText"),
        confirmLabel: t("blockOut.lift"),
        action: async () => {
          await lift.mutateAsync({ lockId: id });
          toast.success(t("blockOut.lifting"));
        },
      });
    },
    askToResetSequence: ({ id, mac, roomName }: LockName): void => {
      void confirm({
        title: t("locks.resetSequence.title", { name: roomName ?? mac }),
        description: t("locks.resetSequence.text"),
        confirmLabel: t("locks.resetSequence.act"),
        tone: "danger",
        action: async () => {
          await reset.mutateAsync({ lockId: id });
          toast.success(t("locks.resetSequence.done"));
        },
      });
    },
    /**
     * Asks for confirmation, then removes the lock. With `leavePage`, the list of locks is opened afterwards, because
     * the page shows only this lock.
     */
    askToRemove: ({ id, mac, roomName }: LockName, leavePage = false): void => {
      void confirm({
        title: roomName ? t("locks.removeAskRoom", { room: roomName }) : t("locks.removeAsk", { mac }),
        description: t("locks.removeText"),
        confirmLabel: t("locks.remove"),
        tone: "danger",
        action: async () => {
          await remove.mutateAsync({ lockId: id });
          toast.success(t("locks.removed"));
          if (leavePage) await navigate({ to: "/locks" });
        },
      });
    },
  };
}
