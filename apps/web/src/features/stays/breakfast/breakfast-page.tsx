import { addDays } from "@innkey/shared/hotel-time";
import type { BreakfastDay } from "@innkey/shared/schemas/stays/breakfast";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { ChevronLeft, ChevronRight, Keyboard, Nfc, Printer } from "lucide-react";
import { useCallback, useEffect, useState } from "react";
import {
  cardReader,
  readCard,
  useReaderSettings,
  useReading,
  useTypedNumbers,
} from "@/entities/card-reader/card-reader.ts";
import { ReaderFailure } from "@/entities/card-reader/card-reader-status.tsx";
import { ExportButton } from "@/entities/export/export-button.tsx";
import { api } from "@/lib/api.ts";
import { t } from "@/lib/i18n.ts";
import { failureOf, failureText } from "@/lib/rest.ts";
import { isLocalDate } from "@/lib/search-params.ts";
import { useCan, useMe } from "@/lib/session.ts";
import { toast } from "@/lib/toast.ts";
import { trpc } from "@/lib/trpc.ts";
import { ActionButton } from "@/ui/action/action-button.tsx";
import { IconButton } from "@/ui/action/icon-button.tsx";
import { Callout } from "@/ui/callout.tsx";
import { NoPermission } from "@/ui/can.tsx";
import { EmptyCorridor } from "@/ui/drawings.tsx";
import { DateInput } from "@/ui/form/dates/date-input.tsx";
import { PageHeader } from "@/ui/page-header.tsx";
import { EmptyState, ErrorState } from "@/ui/page-state.tsx";
import { Button } from "@/ui/primitives/button.tsx";
import { Card } from "@/ui/primitives/card.tsx";
import { Skeleton } from "@/ui/primitives/skeleton.tsx";
import { usePrinting } from "@/ui/printing.tsx";
import { SearchInput } from "@/ui/search-input.tsx";
import type { BreakfastSearch } from "../stay-search.ts";
import { BreakfastSheet, BreakfastSummary } from "./breakfast-summary.tsx";
import { partiesOf } from "./parties.ts";
import { PartyCard } from "./party-card.tsx";

/** Button that reads a room card. A reader that acts as a keyboard doesn't need it. */
function CardButton() {
  const { source } = useReaderSettings();
  const { busy } = useReading();
  const isKeyboard = source === "keyboard";
  useTypedNumbers(isKeyboard);
  useBreakfastCards();
  if (isKeyboard) {
    return (
      <span className="inline-flex items-center gap-2 text-sm text-muted-foreground">
        <Keyboard aria-hidden className="size-4" />
        {t("breakfast.scanHint")}
      </span>
    );
  }
  return (
    <ActionButton
      variant="outline"
      aria-busy={busy}
      needsServer={!busy}
      onClick={() => (busy ? cardReader.cancel() : void readCard())}
    >
      <Nfc aria-hidden className={busy ? "animate-pulse motion-reduce:animate-none" : undefined} />
      {busy ? t("reader.reading") : t("breakfast.scan")}
    </ActionButton>
  );
}

function CardFailure() {
  const { failure, warning } = useReading();
  if (failure) return <ReaderFailure failure={failure} />;
  return warning ? <Callout tone="warning" title={t(`reader.warning.${warning}`)} /> : null;
}

/** While the page is open, marks the guests of a card's stay as served when the card is read, and shows a toast. */
function useBreakfastCards(): void {
  useEffect(
    () =>
      cardReader.onCard(async ({ uid }) => {
        try {
          const { roomName, party, ticked } = await api.breakfast.tickByCard.mutate({ number: uid });
          if (roomName === null) toast.info(t("breakfast.cardNobody"));
          else if (party === 0) toast.error(t("breakfast.cardNone", { room: roomName }));
          else if (ticked === 0) toast.info(t("breakfast.cardAgain", { room: roomName }));
          else toast.success(t("breakfast.cardTicked", { room: roomName, count: ticked }));
        } catch (error) {
          toast.error(failureText(failureOf(error)));
        }
      }),
    [],
  );
}

type BreakfastPageProps = { search: BreakfastSearch; onSearch: (patch: BreakfastSearch) => void };

export function BreakfastPage(props: BreakfastPageProps) {
  return useCan()("breakfast.manage") ? <Breakfast {...props} /> : <NoPermission />;
}

/** Breakfast list of one day: the guests who are expected and those who were served. */
function Breakfast({ search: { date, q = "" }, onSearch }: BreakfastPageProps) {
  const { data, error, refetch } = useQuery(trpc.breakfast.list.queryOptions({ date }, { retry: false }));
  const serving = useServing(date);
  const [isPrinting, setIsPrinting] = useState(false);
  usePrinting(
    isPrinting,
    useCallback(() => setIsPrinting(false), []),
  );
  const parties = data ? partiesOf(data.guests, q) : [];
  const setQuery = useCallback((text: string) => onSearch({ q: text || undefined }), [onSearch]);

  return (
    <>
      <PageHeader
        title={t("nav.breakfast")}
        description={t("breakfast.text")}
        actions={
          <>
            <CardButton />
            {data && (
              <ExportButton
                list="breakfast"
                filters={{ date: data.date }}
                page={1}
                pageSize={Math.max(1, data.guests.length)}
              />
            )}
            <Button variant="outline" disabled={!data || data.guests.length === 0} onClick={() => setIsPrinting(true)}>
              <Printer aria-hidden />
              {t("breakfast.print")}
            </Button>
          </>
        }
      />
      <div className="mb-4 flex flex-wrap items-center justify-between gap-3">
        <DayChoice
          date={data?.date ?? date}
          today={data?.today}
          onChange={(next) => onSearch({ date: next === data?.today ? undefined : next })}
        />
        <SearchInput label={t("breakfast.search")} value={q} onChange={setQuery} delayMilliseconds={0} />
      </div>
      <div className="mb-4 grid gap-3">
        <CardFailure />
        {data && <BreakfastSummary day={data} />}
      </div>
      {error && !data ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <div className="grid gap-3" role="status" aria-label={t("common.loading")}>
          {[0, 1, 2].map((line) => (
            <Skeleton key={line} className="h-24" />
          ))}
        </div>
      ) : parties.length === 0 ? (
        <Card>
          <EmptyState
            drawing={EmptyCorridor}
            title={q ? t("common.nothingFound") : t("breakfast.empty")}
            description={q ? undefined : t("breakfast.emptyText")}
          />
        </Card>
      ) : (
        <ul
          className="grid grid-cols-1 items-start gap-3 sm:grid-cols-2 xl:grid-cols-3"
          aria-label={t("breakfast.printTitle")}
        >
          {parties.map((party) => (
            <PartyCard
              key={party.stayId}
              party={party}
              locked={data.date > data.today}
              onTick={(stayGuestIds, used) => serving.mutate({ date: data.date, stayGuestIds, used })}
            />
          ))}
        </ul>
      )}
      {data && isPrinting && <BreakfastSheet day={data} />}
    </>
  );
}

/** Marks guests as served or not. The screen changes at once and goes back if the server refuses. */
function useServing(date: string | undefined) {
  const client = useQueryClient();
  const { name } = useMe();
  const { queryKey } = trpc.breakfast.list.queryOptions({ date });
  return useMutation(
    trpc.breakfast.tick.mutationOptions({
      onMutate: async ({ stayGuestIds, used }) => {
        await client.cancelQueries({ queryKey });
        const before = client.getQueryData<BreakfastDay>(queryKey);
        const mark = used
          ? { usedAt: new Date().toISOString(), operatorName: name }
          : { usedAt: null, operatorName: null };
        client.setQueryData<BreakfastDay>(
          queryKey,
          before && {
            ...before,
            guests: before.guests.map((guest) =>
              stayGuestIds.includes(guest.stayGuestId) && (guest.usedAt !== null) !== used
                ? { ...guest, ...mark }
                : guest,
            ),
          },
        );
        return { before };
      },
      onError: (_error, _input, context) => client.setQueryData(queryKey, context?.before),
    }),
  );
}

type DayChoiceProps = { date: string | undefined; today: string | undefined; onChange: (date: string) => void };

/** Chooses the date. */
function DayChoice({ date, today, onChange }: DayChoiceProps) {
  const valid = date !== undefined && isLocalDate(date);
  return (
    <div className="flex items-center gap-1">
      <IconButton
        icon={ChevronLeft}
        flip
        label={t("breakfast.previous")}
        disabled={!valid}
        onClick={() => valid && onChange(addDays(date, -1))}
      />
      <DateInput
        aria-label={t("breakfast.of")}
        value={valid ? date : null}
        className="w-46"
        onChange={(next) => next && onChange(next)}
      />
      <IconButton
        icon={ChevronRight}
        flip
        label={t("breakfast.next")}
        disabled={!valid}
        onClick={() => valid && onChange(addDays(date, 1))}
      />
      {today && date !== today && (
        <Button variant="outline" onClick={() => onChange(today)}>
          {t("breakfast.today")}
        </Button>
      )}
    </div>
  );
}
