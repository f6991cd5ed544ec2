import type { CustomerDetail } from "@innkey/shared/schemas/customers";
import { Link } from "@tanstack/react-router";
import { OnlineChip } from "@/entities/reader/online-chip.tsx";
import { useTranslation } from "@/lib/i18n.ts";
import { Card, CardBody, CardHeader } from "@/ui/primitives/card.tsx";

/** The card readers that they work with. */
export function CustomerReaders({ readers }: { readers: NonNullable<CustomerDetail["readers"]> }) {
  const { t } = useTranslation();
  return (
    <Card>
      <CardHeader title={t("nav.encoders")} />
      {readers.length === 0 ? (
        <CardBody className="text-muted-foreground">{t("customer.noReaders")}</CardBody>
      ) : (
        <ul className="divide-y border-t">
          {readers.map(({ id, name, deviceNo, online }) => (
            <li key={id} className="flex items-center justify-between gap-3 px-5 py-3">
              <span className="min-w-0">
                <Link
                  to="/bindCardReaderToUser/bindCardReaderToUser"
                  search={{ id }}
                  className="block truncate font-medium hover:underline"
                >
                  <bdi>{name}</bdi>
                </Link>
                <bdi className="ltr-run block truncate font-mono text-sm text-muted-foreground">{deviceNo}</bdi>
              </span>
              <OnlineChip online={online} />
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
