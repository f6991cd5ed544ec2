import type { PersonRecords } from "@innkey/shared/schemas/privacy";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { formatDate, formatDateTime, formatNumber } from "@/lib/format.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { useHotel } from "@/lib/session.ts";
import { trpc } from "@/lib/trpc.ts";
import { ErrorState } from "@/ui/error-state.tsx";
import { Fact } from "@/ui/fact.tsx";
import { CardBody } from "@/ui/primitives/card.tsx";
import { Skeleton } from "@/ui/primitives/skeleton.tsx";
import { PersonActs } from "./person-acts.tsx";
import { PresenceChip } from "./standing-chip.tsx";

/** Shows the data the hotel stores about one person, and the privacy actions for it. */
export function StoredPersonData({ guestId }: { guestId: number }) {
  const person = useQuery(trpc.privacy.person.queryOptions({ guestId }));
  if (person.error && !person.data) {
    return <ErrorState error={person.error} onRetry={() => void person.refetch()} />;
  }
  if (!person.data) {
    return (
      <CardBody aria-busy>
        <Skeleton className="h-64" />
      </CardBody>
    );
  }
  return <Loaded person={person.data} />;
}

function Loaded({ person }: { person: PersonRecords }) {
  const { t } = useTranslation();
  const { timeZone } = useHotel();
  const { name, mobile, email, standing, erasedAt, stays } = person;
  return (
    <>
      <CardBody className="grid gap-5">
        <div className="flex flex-wrap items-center gap-3">
          <h3 className="text-lg font-semibold">{erasedAt ? t("privacy.erasedPerson") : <bdi>{name}</bdi>}</h3>
          <PresenceChip standing={standing} />
          {erasedAt && (
            <span className="text-muted-foreground">
              {t("privacy.documentErased", { date: formatDate(erasedAt, timeZone) })}
            </span>
          )}
        </div>
        <section>
          <h4 className="mb-2 font-medium">{t("privacy.kept")}</h4>
          <dl className="grid grid-cols-2 gap-4 sm:grid-cols-4">
            <Fact label={t("guest.mobile")}>{mobile && <bdi className="ltr-run">{mobile}</bdi>}</Fact>
            <Fact label={t("guest.email")}>{email && <bdi className="ltr-run">{email}</bdi>}</Fact>
            <Fact label={t("guest.documentType")}>{documentText(person, t, timeZone)}</Fact>
            <Fact label={t("nav.faces")}>{formatNumber(person.faces)}</Fact>
            <Fact label={t("staff.area.cards")}>{formatNumber(person.cards)}</Fact>
            <Fact label={t("nav.passcodes")}>{formatNumber(person.codes)}</Fact>
            <Fact label={t("nav.orders")}>{formatNumber(person.orders)}</Fact>
            <Fact label={t("nav.doorRecords")}>{formatNumber(person.doorRecords)}</Fact>
          </dl>
        </section>
        <PersonActs guestId={person.guestId} name={name} blocked={standing !== "gone"} erased={erasedAt !== null} />
      </CardBody>
      {stays.length > 0 && (
        <section className="border-t">
          <h4 className="px-5 pt-4 pb-2 font-medium">{t("privacy.stays")}</h4>
          <ul className="divide-y border-t">
            {stays.map((stay) => (
              <li key={stay.stayGuestId}>
                <Link
                  to="/room/thetouristsDetails"
                  search={{ id: stay.stayGuestId }}
                  className="flex flex-wrap justify-between gap-x-4 px-5 py-2.5 -outline-offset-2 hover:bg-hover"
                >
                  <span className="font-medium">{t("board.roomNamed", { name: stay.roomName })}</span>
                  <span className="text-muted-foreground">
                    {formatDateTime(stay.startsAt, timeZone)} – {formatDateTime(stay.endsAt, timeZone)}
                  </span>
                </Link>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

function documentText(
  { hasDocument, documentsErasedAt }: PersonRecords,
  t: ReturnType<typeof useTranslation>["t"],
  timeZone: string,
): string {
  if (hasDocument) return t("guest.yes");
  return documentsErasedAt
    ? t("privacy.documentErased", { date: formatDate(documentsErasedAt, timeZone) })
    : t("guest.no");
}
