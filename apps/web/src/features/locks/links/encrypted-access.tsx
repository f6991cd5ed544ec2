import type { encryptedBroker } from "@innkey/shared/schemas/locks";
import { useQuery } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { useId } from "react";
import type { z } from "zod";
import { download } from "@/lib/download.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { trpc } from "@/lib/trpc.ts";
import { Button } from "@/ui/primitives/button.tsx";
import { Card, CardBody, CardHeader } from "@/ui/primitives/card.tsx";
import { AccessFacts } from "./access-facts.tsx";

type EncryptedBroker = NonNullable<z.infer<typeof encryptedBroker>>;

const FILE_NAME = "innkey-locks-ca.pem";

function saveCertificate(pem: string): void {
  const address = URL.createObjectURL(new Blob([pem], { type: "application/x-pem-file" }));
  download(address, FILE_NAME);
  // The browser has begun to save it when the next task runs.
  setTimeout(() => URL.revokeObjectURL(address));
}

/** Shows where locks and gateways connect encrypted, and the certificate that they trust; nothing where they can't. */
export function EncryptedAccess() {
  const { t } = useTranslation();
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

/** The same as a card of a page. */
export function EncryptedAccessCard() {
  const { t } = useTranslation();
  const { data: broker } = useQuery(trpc.locks.encryptedBroker.queryOptions());
  if (!broker) return null;
  return (
    <Card>
      <CardHeader
        title={t("locks.encrypted.title")}
        description={<span className="text-pretty">{t("locks.encrypted.text")}</span>}
      />
      <CardBody className="grid grid-cols-1 gap-3">
        <AddressAndCertificate broker={broker} />
      </CardBody>
    </Card>
  );
}

function AddressAndCertificate({ broker }: { broker: EncryptedBroker }) {
  const { t } = useTranslation();
  return (
    <>
      <AccessFacts facts={[[t("locks.encrypted.url"), broker.url]]} />
      <Button className="justify-self-start" needsServer={false} onClick={() => saveCertificate(broker.authority)}>
        <Download aria-hidden />
        {t("locks.encrypted.download")}
      </Button>
    </>
  );
}
