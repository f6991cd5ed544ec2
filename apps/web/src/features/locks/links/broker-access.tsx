import type { encryptedBroker, LockAccess, LockRow } from "@innkey/shared/schemas/access/locks";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Copy, Download } from "lucide-react";
import { useId } from "react";
import type { z } from "zod";
import { copyText } from "@/lib/browser/copy-text.ts";
import { download } from "@/lib/browser/download.ts";
import { t } from "@/lib/i18n.ts";
import { failureOf, failureText } from "@/lib/rest.ts";
import { trpc } from "@/lib/trpc.ts";
import { ActionButton } from "@/ui/action/action-button.tsx";
import { IconButton } from "@/ui/action/icon-button.tsx";
import { Callout } from "@/ui/callout.tsx";
import { CardHeading } from "@/ui/card-parts.tsx";
import { DialogPanel } from "@/ui/dialog/panel.tsx";
import { Button } from "@/ui/primitives/button.tsx";
import { Card, CardContent } from "@/ui/primitives/card.tsx";
import { Dialog } from "@/ui/primitives/dialog.tsx";

/** Values to type into a lock or gateway, each with a button that copies it. */
export function AccessFacts({ facts }: { facts: readonly (readonly [label: string, value: string | null])[] }) {
  return (
    <dl className="divide-y rounded-lg border bg-sunken">
      {facts.flatMap(([label, value]) =>
        value ? (
          <div key={label} className="relative py-2 ps-4 pe-12">
            <dt className="text-sm text-muted-foreground">{label}</dt>
            <dd dir="ltr" className="font-mono text-sm wrap-anywhere rtl:text-end">
              {value}
            </dd>
            <dd className="absolute inset-y-0 end-2 grid place-items-center">
              <IconButton
                icon={Copy}
                size="icon-sm"
                label={t("locks.copyNamed", { name: label })}
                onClick={() => void copyText(value)}
              />
            </dd>
          </div>
        ) : (
          []
        ),
      )}
    </dl>
  );
}

type EncryptedBroker = NonNullable<z.infer<typeof encryptedBroker>>;

const FILE_NAME = "innkey-locks-ca.pem";

function saveCertificate(pem: string): void {
  const address = URL.createObjectURL(new Blob([pem], { type: "application/x-pem-file" }));
  download(address, FILE_NAME);
  // We wait for the next task, because by then the browser has started to save the file.
  setTimeout(() => URL.revokeObjectURL(address));
}

/**
 * Shows the broker's encrypted address and the certificate that locks and gateways must trust. Renders nothing if
 * encryption is off.
 */
export function EncryptedAccess() {
  const headingId = useId();
  const { data: broker } = useQuery(trpc.locks.encryptedBroker.queryOptions());
  if (!broker) return null;
  return (
    <section aria-labelledby={headingId} className="grid gap-3">
      <div>
        <h2 id={headingId} className="font-medium">
          {t("locks.encrypted.title")}
        </h2>
        <p className="text-sm text-pretty text-muted-foreground">{t("locks.encrypted.text")}</p>
      </div>
      <AddressAndCertificate broker={broker} />
    </section>
  );
}

/** Same content as EncryptedAccess, as a card of a page. */
export function EncryptedAccessCard() {
  const { data: broker } = useQuery(trpc.locks.encryptedBroker.queryOptions());
  if (!broker) return null;
  return (
    <Card>
      <CardHeading
        title={t("locks.encrypted.title")}
        description={<span className="text-pretty">{t("locks.encrypted.text")}</span>}
      />
      <CardContent className="grid grid-cols-1 gap-3">
        <AddressAndCertificate broker={broker} />
      </CardContent>
    </Card>
  );
}

function AddressAndCertificate({ broker }: { broker: EncryptedBroker }) {
  return (
    <>
      <AccessFacts facts={[[t("locks.encrypted.url"), broker.url]]} />
      <ActionButton
        variant="outline"
        className="justify-self-start"
        needsServer={false}
        onClick={() => saveCertificate(broker.authority)}
      >
        <Download aria-hidden />
        {t("locks.encrypted.download")}
      </ActionButton>
    </>
  );
}

/** What to enter into a lock, which is shown once. */
export function LockAccessFacts({ access }: { access: LockAccess }) {
  return (
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
  );
}

type ConnectDialogProps = { lock: Pick<LockRow, "id" | "mac" | "roomName" | "configuredAt">; onClose: () => void };

/** Creates a lock's own broker user on request, and shows its password and pairing secret once. */
export function ConnectDialog({ lock, onClose }: ConnectDialogProps) {
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
            <LockAccessFacts access={access} />
          ) : (
            lock.configuredAt && <Callout tone="info" title={t("locks.connect.again")} />
          )}
          {connect.error && <Callout tone="danger" title={failureText(failureOf(connect.error))} />}
        </div>
      </DialogPanel>
    </Dialog>
  );
}
