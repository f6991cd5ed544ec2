import type { PersonRecords, PersonRow } from "@innkey/shared/schemas/compliance";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ArrowLeft, CalendarClock, House, LogOut } from "lucide-react";
import { useState } from "react";
import { api } from "@/lib/api.ts";
import { formatDate, formatDateTime, formatNumber } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import { useHotel } from "@/lib/session.ts";
import { trpc } from "@/lib/trpc.ts";
import { CardHeading, Fact } from "@/ui/card-parts.tsx";
import { EmptyCorridor } from "@/ui/drawings.tsx";
import { EmptyState, ErrorState } from "@/ui/page-state.tsx";
import { Button } from "@/ui/primitives/button.tsx";
import { Card, CardContent } from "@/ui/primitives/card.tsx";
import { Skeleton } from "@/ui/primitives/skeleton.tsx";
import { SearchInput } from "@/ui/search-input.tsx";
import { StatusChip } from "@/ui/status-chip.tsx";
import { PersonActs } from "./person-acts.tsx";

const STYLES = {
  here: { tone: "checkedIn", icon: House },
  expected: { tone: "reserved", icon: CalendarClock },
  gone: { tone: "neutral", icon: LogOut },
} as const;

function PresenceChip({ presence }: { presence: PersonRow["standing"] }) {
  const { tone, icon } = STYLES[presence];
  return (
    <StatusChip tone={tone} icon={icon} size="sm">
      {t(`privacy.standing.${presence}`)}
    </StatusChip>
  );
}

/** Shows the data the hotel stores about one person, and the privacy actions for it. */
function StoredPersonData({ guestId }: { guestId: number }) {
  const person = useQuery(trpc.privacy.person.queryOptions({ guestId }));
  if (person.error && !person.data) {
    return <ErrorState error={person.error} onRetry={() => void person.refetch()} />;
  }
  if (!person.data) {
    return (
      <CardContent aria-busy>
        <Skeleton className="h-64" />
      </CardContent>
    );
  }
  return <Loaded person={person.data} />;
}

function Loaded({ person }: { person: PersonRecords }) {
  const { timeZone } = useHotel();
  const { name, mobile, email, standing: presence, erasedAt, stays } = person;
  return (
    <>
      <CardContent className="grid gap-5">
        <div className="flex flex-wrap items-center gap-3">
          <h3 className="text-lg font-semibold">{erasedAt ? t("privacy.erasedPerson") : <bdi>{name}</bdi>}</h3>
          <PresenceChip presence={presence} />
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
            <Fact label={t("guest.documentType")}>{documentText(person, timeZone)}</Fact>
            <Fact label={t("nav.faces")}>{formatNumber(person.faces)}</Fact>
            <Fact label={t("staff.area.cards")}>{formatNumber(person.cards)}</Fact>
            <Fact label={t("nav.passcodes")}>{formatNumber(person.codes)}</Fact>
            <Fact label={t("nav.folio")}>{formatNumber(person.entries)}</Fact>
            <Fact label={t("nav.doorRecords")}>{formatNumber(person.doorRecords)}</Fact>
          </dl>
        </section>
        <PersonActs guestId={person.guestId} name={name} blocked={presence !== "gone"} erased={erasedAt !== null} />
      </CardContent>
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

function documentText({ hasDocument, documentsErasedAt }: PersonRecords, timeZone: string): string {
  if (hasDocument) return t("guest.yes");
  return documentsErasedAt
    ? t("privacy.documentErased", { date: formatDate(documentsErasedAt, timeZone) })
    : t("guest.no");
}

type PersonCardProps = { guestId: number | undefined; onPerson: (guestId: number | undefined) => void };

/** Finds a person and shows the data stored about them. */
export function PersonCard({ guestId, onPerson }: PersonCardProps) {
  const [query, setQuery] = useState("");
  return (
    <Card>
      <CardHeading
        title={t("privacy.person")}
        description={t("privacy.personText")}
        actions={
          guestId !== undefined && (
            <Button variant="ghost" size="sm" onClick={() => onPerson(undefined)}>
              <ArrowLeft aria-hidden className="flip-rtl" />
              {t("common.search")}
            </Button>
          )
        }
      />
      {guestId === undefined ? (
        <>
          <CardContent>
            <SearchInput className="sm:w-full" label={t("privacy.search")} value={query} onChange={setQuery} />
          </CardContent>
          {query.trim() !== "" && <SearchResults query={query.trim()} onPerson={onPerson} />}
        </>
      ) : (
        <StoredPersonData guestId={guestId} />
      )}
    </Card>
  );
}

function SearchResults({ query, onPerson }: { query: string; onPerson: (guestId: number) => void }) {
  // This is a mutation on the wire to keep the search text out of URLs and logs; here we treat it as a query.
  const matches = useQuery({
    queryKey: ["privacy.find", query],
    queryFn: () => api.privacy.find.mutate({ query }),
    placeholderData: keepPreviousData,
    gcTime: 0,
  });
  if (matches.error) return <ErrorState error={matches.error} onRetry={() => void matches.refetch()} />;
  if (!matches.data) {
    return (
      <CardContent aria-busy>
        <Skeleton className="h-24" />
      </CardContent>
    );
  }
  if (matches.data.length === 0) return <EmptyState drawing={EmptyCorridor} title={t("privacy.nobody")} />;
  return (
    <ul className="divide-y border-t">
      {matches.data.map((person) => (
        <li key={person.guestId}>
          <button
            type="button"
            onClick={() => onPerson(person.guestId)}
            className="flex w-full flex-wrap items-center gap-x-4 gap-y-1 px-5 py-3 text-start -outline-offset-2 hover:bg-hover"
          >
            <PersonSummary person={person} />
          </button>
        </li>
      ))}
    </ul>
  );
}

function PersonSummary({ person }: { person: PersonRow }) {
  const { timeZone } = useHotel();
  const { name, mobile, email, standing: presence, lastStayAt } = person;
  return (
    <>
      <span className="min-w-0 flex-1">
        <span className="block truncate font-medium">
          <bdi>{name}</bdi>
        </span>
        <span className="block truncate text-sm text-muted-foreground">
          <bdi className="ltr-run">{[mobile, email].filter(Boolean).join(" · ")}</bdi>
        </span>
      </span>
      {lastStayAt && <span className="text-sm text-muted-foreground">{formatDate(lastStayAt, timeZone)}</span>}
      <PresenceChip presence={presence} />
    </>
  );
}
