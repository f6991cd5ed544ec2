import type { CustomerDetail } from "@innkey/shared/schemas/stays/customers";
import { formatDate, formatNumber } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import { useHotel } from "@/lib/session.ts";
import { CardHeading, Fact } from "@/ui/card-parts.tsx";
import { Card, CardContent } from "@/ui/primitives/card.tsx";

const linkStyle = "underline decoration-border underline-offset-4 hover:decoration-current";

/** Contact data and other facts about a customer. */
export function CustomerFacts({ customer }: { customer: CustomerDetail }) {
  const { timeZone } = useHotel();
  const { kind, company, address, taxNumber, mobile, email, createdAt, stayCount, openStays, note } = customer;
  return (
    <Card>
      <CardHeading title={t("customer.contact")} />
      <CardContent>
        <dl className="grid grid-cols-2 gap-x-6 gap-y-3.5 sm:grid-cols-3">
          <Fact label={t("customer.mobile")}>
            {mobile && (
              <a href={`tel:${mobile}`} className={linkStyle}>
                <bdi className="ltr-run">{mobile}</bdi>
              </a>
            )}
          </Fact>
          <Fact label={t("customer.email")} className="sm:col-span-2">
            {email && (
              <a href={`mailto:${email}`} className={linkStyle}>
                <bdi className="ltr-run break-all">{email}</bdi>
              </a>
            )}
          </Fact>
          {kind === "person" && (
            <Fact label={t("customer.company")}>{company && <span dir="auto">{company}</span>}</Fact>
          )}
          <Fact label={t("customer.address")} className="sm:col-span-2">
            {address && (
              <span dir="auto" className="whitespace-pre-wrap">
                {address}
              </span>
            )}
          </Fact>
          <Fact label={t("customer.taxNumber")}>{taxNumber && <bdi>{taxNumber}</bdi>}</Fact>
          <Fact label={t("customer.since")}>{formatDate(createdAt, timeZone)}</Fact>
          <Fact label={t("customer.stays")}>{formatNumber(stayCount)}</Fact>
          <Fact label={t("customer.openStays")}>{formatNumber(openStays)}</Fact>
          <Fact label={t("customer.note")} className="col-span-full">
            {note && (
              <span dir="auto" className="whitespace-pre-wrap">
                {note}
              </span>
            )}
          </Fact>
        </dl>
      </CardContent>
    </Card>
  );
}
