import type { LockRow } from "@innkey/shared/schemas/access/locks";
import { useMutation } from "@tanstack/react-query";
import { failureOf, failureText } from "@/lib/api-error.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { trpc } from "@/lib/trpc.ts";
import { ActionButton } from "@/ui/action/action-button.tsx";
import { Callout } from "@/ui/callout.tsx";
import { DialogPanel } from "@/ui/dialog/panel.tsx";
import { Button } from "@/ui/primitives/button.tsx";
import { Dialog } from "@/ui/primitives/dialog.tsx";
import { AccessFacts, EncryptedAccess } from "./encrypted-access.tsx";

type ConnectDialogProps = { lock: Pick<LockRow, "id" | "mac" | "roomName" | "configuredAt">; onClose: () => void };

/** Creates a lock's own broker user on request, and shows its password and pairing secret once. */
export function ConnectDialog({ lock, onClose }: ConnectDialogProps) {
  const { t } = useTranslation();
  const connect = useMutation(trpc.locks.connect.mutationOptions({ meta: { shownInForm: true } }));
  const access = connect.data;
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogPanel
        title={t("locks.connect.title", { name: lock.roomName ?? lock.mac })}
        description={t("locks.connect.text")}
        footer={
          access ? (
            <ActionButton needsServer={false} onClick={onClose}>
              {t("locks.connect.done")}
            </ActionButton>
          ) : (
            <>
              <Button variant="outline" onClick={onClose}>
                {t("common.cancel")}
              </Button>
              <ActionButton pending={connect.isPending} onClick={() => connect.mutate({ lockId: lock.id })}>
                {t("locks.connect.make")}
              </ActionButton>
            </>
          )
        }
      >
        <div className="grid grid-cols-1 gap-4">
          {access ? (
            <>
              <Callout tone="warning" title={t("locks.connect.once")} />
              <AccessFacts
                facts={[
                  [t("locks.connect.url"), access.url],
                  [t("locks.connect.user"), access.user],
                  [t("auth.password"), access.password],
                  [t("locks.connect.pairing"), access.pairingSecret],
                  [t("locks.connect.topic"), access.topic],
                ]}
              />
              <EncryptedAccess />
              <p className="text-sm text-pretty text-muted-foreground">{t("locks.connect.next")}</p>
            </>
          ) : (
            lock.configuredAt && <Callout tone="info" title={t("locks.connect.again")} />
          )}
          {connect.error && <Callout tone="danger" title={failureText(failureOf(connect.error))} />}
        </div>
      </DialogPanel>
    </Dialog>
  );
}
