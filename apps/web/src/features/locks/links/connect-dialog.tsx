import type { LockRow } from "@innkey/shared/schemas/access/locks";
import { useMutation } from "@tanstack/react-query";
import { failureOf, failureText } from "@/lib/api-error.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { trpc } from "@/lib/trpc.ts";
import { Alert } from "@/ui/primitives/alert.tsx";
import { Button } from "@/ui/primitives/button.tsx";
import { Dialog, DialogContent } from "@/ui/primitives/dialog.tsx";
import { AccessFacts, EncryptedAccess } from "./encrypted-access.tsx";

type ConnectDialogProps = { lock: Pick<LockRow, "id" | "mac" | "roomName" | "configuredAt">; onClose: () => void };

/** Creates a lock's own broker user on request, and shows its password and pairing secret once. */
export function ConnectDialog({ lock, onClose }: ConnectDialogProps) {
  const { t } = useTranslation();
  const connect = useMutation(trpc.locks.connect.mutationOptions({ meta: { shownInForm: true } }));
  const access = connect.data;
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent
        title={t("locks.connect.title", { name: lock.roomName ?? lock.mac })}
        description={t("locks.connect.text")}
        footer={
          access ? (
            <Button variant="primary" needsServer={false} onClick={onClose}>
              {t("locks.connect.done")}
            </Button>
          ) : (
            <>
              <Button onClick={onClose}>{t("common.cancel")}</Button>
              <Button variant="primary" pending={connect.isPending} onClick={() => connect.mutate({ lockId: lock.id })}>
                {t("locks.connect.make")}
              </Button>
            </>
          )
        }
      >
        <div className="grid grid-cols-1 gap-4">
          {access ? (
            <>
              <Alert tone="warning" title={t("locks.connect.once")} />
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
            lock.configuredAt && <Alert tone="info" title={t("locks.connect.again")} />
          )}
          {connect.error && <Alert tone="danger" title={failureText(failureOf(connect.error))} />}
        </div>
      </DialogContent>
    </Dialog>
  );
}
