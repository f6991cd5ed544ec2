import type { LockDetail } from "@innkey/shared/schemas/locks";
import { useMutation } from "@tanstack/react-query";
import { windowText } from "@/entities/lock/lock-words.ts";
import { confirm } from "@/lib/confirm.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { refreshEverything } from "@/lib/refresh.ts";
import { useCan, useHotel } from "@/lib/session.ts";
import { toast } from "@/lib/toast.ts";
import { trpc } from "@/lib/trpc.ts";
import { Alert } from "@/ui/primitives/alert.tsx";
import { Button } from "@/ui/primitives/button.tsx";
import { KIND_ICONS } from "./lock-credentials.tsx";

/**
 * Lists credentials in the lock that this console did not create. They open the door, so a staff member decides whether
 * to keep them.
 */
export function LockUnmanaged({ lock }: { lock: LockDetail }) {
  const { t } = useTranslation();
  const { timeZone } = useHotel();
  const manage = useCan()("locks.manage");
  const settle = useMutation(trpc.locks.settleUnmanaged.mutationOptions({ onSettled: refreshEverything }));

  function askToRemove(slot: number, name: string): void {
    void confirm({
      title: t("locks.unmanaged.removeAsk", { name }),
      description: t("locks.unmanaged.removeText"),
      confirmLabel: t("locks.unmanaged.remove"),
      tone: "danger",
      action: () => settle.mutateAsync({ lockId: lock.id, slot, act: "remove" }),
    });
  }

  return (
    <Alert tone="warning" title={t("locks.unmanaged.title")}>
      <p className="text-pretty">{t("locks.unmanaged.text")}</p>
      <ul className="mt-2 divide-y border-t">
        {lock.unmanaged.map(({ slot, kind, name, validFrom, validTo }, index) => {
          const Icon = KIND_ICONS[kind];
          const called = name || [t(`locks.kind.${kind}`), slot].filter((part) => part !== null).join(" ");
          return (
            <li key={slot ?? `own-${index}`} className="flex flex-wrap items-center gap-x-4 gap-y-2 py-2.5">
              <Icon aria-hidden className="size-4 shrink-0 text-muted-foreground" />
              <div className="min-w-0 flex-1 basis-40">
                <p className="font-medium">
                  <bdi>{called}</bdi>
                </p>
                <p className="text-sm text-muted-foreground">{windowText(validFrom, validTo, timeZone)}</p>
              </div>
              {manage && (
                <div className="flex flex-wrap items-center gap-2">
                  <Button
                    size="sm"
                    needsServer
                    onClick={() =>
                      settle.mutate(
                        { lockId: lock.id, slot, kind, name, act: "adopt" },
                        { onSuccess: () => toast.success(t("locks.unmanaged.adopted")) },
                      )
                    }
                  >
                    {t("locks.unmanaged.adopt")}
                  </Button>
                  {slot !== null ? (
                    <Button size="sm" variant="dangerQuiet" onClick={() => askToRemove(slot, called)}>
                      {t("locks.unmanaged.remove")}
                    </Button>
                  ) : (
                    <span className="text-sm text-muted-foreground">{t("locks.unmanaged.atTheLock")}</span>
                  )}
                </div>
              )}
            </li>
          );
        })}
      </ul>
    </Alert>
  );
}
