import type { PersonRow } from "@innkey/shared/schemas/privacy";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { ArrowLeft, UserRoundSearch } from "lucide-react";
import { useState } from "react";
import { formatDate } from "@/lib/format.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { useHotel } from "@/lib/session.ts";
import { api } from "@/lib/trpc.ts";
import { EmptyState } from "@/ui/empty-state.tsx";
import { ErrorState } from "@/ui/error-state.tsx";
import { Button } from "@/ui/primitives/button.tsx";
import { Card, CardBody, CardHeader } from "@/ui/primitives/card.tsx";
import { Skeleton } from "@/ui/primitives/skeleton.tsx";
import { SearchInput } from "@/ui/search-input.tsx";
import { PresenceChip } from "./standing-chip.tsx";
import { StoredPersonData } from "./stored-person-data.tsx";

type PersonCardProps = { guestId: number | undefined; onPerson: (guestId: number | undefined) => void };

/** Finds a person and shows the data stored about them. */
export function PersonCard({ guestId, onPerson }: PersonCardProps) {
  const { t } = useTranslation();
  const [query, setQuery] = useState("");
  return (
    <Card>
      <CardHeader
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
          <CardBody>
            <SearchInput className="sm:w-full" label={t("privacy.search")} value={query} onChange={setQuery} />
          </CardBody>
          {query.trim() !== "" && <SearchResults query={query.trim()} onPerson={onPerson} />}
        </>
      ) : (
        <StoredPersonData guestId={guestId} />
      )}
    </Card>
  );
}

function SearchResults({ query, onPerson }: { query: string; onPerson: (guestId: number) => void }) {
  const { t } = useTranslation();
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
      <CardBody aria-busy>
        <Skeleton className="h-24" />
      </CardBody>
    );
  }
  if (matches.data.length === 0) return <EmptyState icon={UserRoundSearch} title={t("privacy.nobody")} />;
  return (
    <ul className="divide-y border-t">
      {matches.data.map((person) => (
        <li key={person.guestId}>
          <button
            type="button"
            onClick={() => onPerson(person.guestId)}
            className="flex w-full flex-wrap items-center gap-x-4 gap-y-1 px-5 py-3 text-start -outline-offset-2 hover:bg-hover"
          >
            <Who person={person} />
          </button>
        </li>
      ))}
    </ul>
  );
}

function Who({ person }: { person: PersonRow }) {
  const { timeZone } = useHotel();
  const { name, mobile, email, standing, lastStayAt } = person;
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
      <PresenceChip standing={standing} />
    </>
  );
}
