import type { MasterCardRow } from "@innkey/shared/schemas/access/cards";
import { CARD_FILTERS } from "@innkey/shared/words";
import { keepPreviousData, useMutation, useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { Clock, DoorClosed, ListChecks, Nfc, Plus, ShieldAlert, Undo2 } from "lucide-react";
import { useMemo, useState } from "react";
import { CardStateChip, CredentialChip, locksWithFormerHours } from "@/entities/credential/credential-state.tsx";
import { HoursDialog } from "@/entities/credential/hours-dialog.tsx";
import { periodText as hoursPeriodText, hoursText } from "@/entities/credential/hours-text.ts";
import { ExportedTable } from "@/entities/export/exported-table.tsx";
import { listColumns } from "@/entities/export/list-columns.ts";
import { windowText } from "@/entities/lock/lock-labels.ts";
import { BY_TIME_MILLISECONDS } from "@/lib/events/topics.ts";
import { formatDateTime, formatList, formatNumber, formatRelative, formatShort } from "@/lib/format.ts";
import { t, textOf } from "@/lib/i18n.ts";
import { useCan, useHotel } from "@/lib/session.ts";
import { toast } from "@/lib/toast.ts";
import { trpc } from "@/lib/trpc.ts";
import { ActionButton } from "@/ui/action/action-button.tsx";
import { Callout } from "@/ui/callout.tsx";
import { Fact } from "@/ui/card-parts.tsx";
import { SheetPanel } from "@/ui/dialog/panel.tsx";
import { CardOverReader } from "@/ui/drawings.tsx";
import { Segmented } from "@/ui/form/choice-input.tsx";
import { PageHeader } from "@/ui/page-header.tsx";
import { Button } from "@/ui/primitives/button.tsx";
import { Sheet } from "@/ui/primitives/sheet.tsx";
import { SearchInput } from "@/ui/search-input.tsx";
import { useListState } from "@/ui/table/list-search.ts";
import type { DataColumn, RowAction } from "@/ui/table/table-model.ts";
import type { CardSearch } from "./card-search.ts";
import { isLive, useCardActs } from "./use-card-acts.ts";
import { MasterCardDialog } from "./writing/add-card-page.tsx";
import { clearDraft } from "./writing/card-draft.ts";

type CardSheetProps = { card: MasterCardRow; actions: readonly RowAction<MasterCardRow>[]; onClose: () => void };

/** Details of one card: who made it, how long it is valid, and its status at each lock. */
function CardSheet({ card, actions, onClose }: CardSheetProps) {
  const { timeZone } = useHotel();
  return (
    <Sheet open onOpenChange={(open) => !open && onClose()}>
      <SheetPanel
        title={<bdi>{card.note || card.uid}</bdi>}
        description={t(`locks.cardKind.${card.kind}`)}
        footer={
          actions.length > 0 &&
          actions.map(({ label, icon: Icon, danger, needsServer = true, onSelect }) => (
            <ActionButton
              key={label}
              size="sm"
              variant={danger ? "ghost-destructive" : "outline"}
              needsServer={needsServer}
              onClick={() => onSelect(card)}
            >
              {Icon && <Icon aria-hidden />}
              {label}
            </ActionButton>
          ))
        }
      >
        <div className="grid grid-cols-1 gap-5">
          <div className="flex flex-wrap items-center gap-2">
            <CardStateChip card={card} />
            {card.revokeReason && (
              <span className="text-sm text-muted-foreground">
                {textOf(`locks.revokeReason.${card.revokeReason}`, {}, "locks.revokeReason.by_hand")}
              </span>
            )}
          </div>
          {card.state === "revoking" && (
            <Callout
              tone="warning"
              title={card.kind === "block_out" ? t("card.mayStillBlock") : t("card.mayStillOpenDoors")}
            />
          )}
          {locksWithFormerHours(card.credentials).length > 0 && (
            <Callout tone="warning" title={t("card.hours.oldTitle")}>
              {t("card.hours.oldText", { rooms: formatList(locksWithFormerHours(card.credentials)) })}
            </Callout>
          )}
          <dl className="grid gap-4 sm:grid-cols-2">
            <Fact label={t("card.number")}>
              <bdi className="font-mono" dir="ltr">
                {card.uid}
              </bdi>
            </Fact>
            <Fact label={t("card.valid")}>
              {card.validTo ? windowText(card.validFrom, card.validTo, timeZone) : t("card.permanent")}
            </Fact>
            {card.allDoors && <Fact label={t("card.doors")}>{t("card.special.allDoors")}</Fact>}
            {card.once && <Fact label={t("card.special.uses")}>{t("card.special.once")}</Fact>}
            {card.kind === "management" && (
              <Fact label={t("card.hours.title")}>
                {card.hours.length === 0
                  ? t("card.hours.always")
                  : card.hours.map((period) => (
                      <span key={JSON.stringify(period)} className="block">
                        {hoursPeriodText(period)}
                      </span>
                    ))}
              </Fact>
            )}
            <Fact label={t("card.lastUsed")}>
              {card.usedAt ? formatDateTime(card.usedAt, timeZone) : t("card.neverUsed")}
            </Fact>
            <Fact label={t("card.issuedBy")}>
              <bdi>{card.operatorName ?? "–"}</bdi>, {formatDateTime(card.createdAt, timeZone)}
            </Fact>
          </dl>
          {card.kind !== "universal" && <Locks card={card} />}
        </div>
      </SheetPanel>
    </Sheet>
  );
}

function Locks({ card }: { card: MasterCardRow }) {
  return (
    <section aria-labelledby="card-locks">
      <h3 id="card-locks" className="mb-2 font-semibold">
        {t("card.doors")}
      </h3>
      {card.credentials.length === 0 ? (
        <p className="text-muted-foreground">{t("card.noLockYet")}</p>
      ) : (
        <ul className="divide-y rounded-md border">
          {card.credentials.map((credential) => (
            <li key={credential.id} className="flex items-start gap-3 px-4 py-2.5">
              <span className="min-w-14 font-medium">
                {credential.roomId === null ? (
                  <bdi>{credential.roomName ?? "–"}</bdi>
                ) : (
                  <Link
                    to="/room/$roomId"
                    params={{ roomId: credential.roomId }}
                    className="rounded-sm hover:underline"
                  >
                    <bdi>{credential.roomName}</bdi>
                  </Link>
                )}
              </span>
              <CredentialChip credential={credential} className="flex-1" />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

const CONFIRMED_STATES = new Set(["confirmed", "used"]);

/** The lists of cards of the house. */
type CardListKind = "management" | "universal" | "special";

const LISTS = {
  management: { list: "/center/cardList", add: "/center/addCard" },
  universal: { list: "/center/universalCardList", add: "/center/addUniversalCard" },
  special: { list: "/center/specialCardList", add: "/center/addSpecialCard" },
} as const;

function useCardColumns(kind: CardListKind): DataColumn<MasterCardRow>[] {
  const { timeZone } = useHotel();
  return useMemo(() => {
    /** The start is shown only while it lies in the future. */
    const periodText = ({ validFrom, validTo }: MasterCardRow): string => {
      if (Date.parse(validFrom) > Date.now()) return windowText(validFrom, validTo, timeZone);
      return validTo ? t("card.until", { when: formatShort(validTo, timeZone) }) : t("card.permanent");
    };
    const hasDoors = kind !== "universal";
    return listColumns<"cards", MasterCardRow>("cards", {
      note: {
        fixed: true,
        card: "title",
        cell: (row) => (
          <span className="block max-w-56 min-w-0">
            <span dir="auto" className="name-run block truncate font-medium">
              {row.note}
            </span>
            <bdi className="block font-mono text-xs font-normal text-muted-foreground rtl:text-end" dir="ltr">
              {row.uid}
            </bdi>
          </span>
        ),
      },
      state: {
        card: "status",
        cell: (row) => (
          <span className="flex flex-wrap items-center gap-x-2 gap-y-0.5">
            <CardStateChip card={row} />
            {locksWithFormerHours(row.credentials).length > 0 && (
              <span className="text-xs font-medium text-expired">
                {t("card.hours.oldLocks", { total: formatNumber(locksWithFormerHours(row.credentials).length) })}
              </span>
            )}
          </span>
        ),
      },
      kind: kind === "special" && { cell: (row) => t(`locks.cardKind.${row.kind}`) },
      rooms: hasDoors && {
        cell: (row) =>
          row.allDoors ? (
            t("card.special.allDoors")
          ) : (
            <span
              dir="ltr"
              className="block max-w-[45vw] truncate lg:max-w-44 rtl:text-end"
              title={row.roomName ?? undefined}
            >
              {row.groupIds.length + row.zoneIds.length === 0 && (
                <>
                  <span className="tabular-nums">{formatNumber(row.roomIds.length + row.doorIds.length)}</span>
                  {" · "}
                </>
              )}
              <bdi className="text-muted-foreground">{row.roomName}</bdi>
            </span>
          ),
      },
      locksKnow: hasDoors && {
        className: "whitespace-nowrap",
        cell: ({ credentials }) => {
          const active = credentials.filter(({ state }) => state !== "revoked" && state !== "revoking");
          if (active.length === 0) return <span className="text-faint-foreground">–</span>;
          const confirmed = active.filter(({ state }) => CONFIRMED_STATES.has(state)).length;
          return (
            <span className={confirmed < active.length ? "text-expired" : undefined}>
              {t("card.ofLocks", { confirmed: formatNumber(confirmed), total: formatNumber(active.length) })}
            </span>
          );
        },
      },
      period: {
        className: "whitespace-nowrap",
        cell: (row) => (
          <span>
            {periodText(row)}
            {row.hours.length > 0 && (
              <span className="block max-w-56 truncate text-xs text-muted-foreground" title={hoursText(row.hours)}>
                {hoursText(row.hours)}
              </span>
            )}
          </span>
        ),
      },
      lastUsed: {
        className: "whitespace-nowrap",
        cell: (row) =>
          row.usedAt ? (
            <span title={formatShort(row.usedAt, timeZone)}>{formatRelative(row.usedAt)}</span>
          ) : (
            <span className="text-muted-foreground">{t("card.neverUsed")}</span>
          ),
      },
      issuedBy: {
        className: "whitespace-nowrap",
        cell: (row) => (
          <span>
            <bdi>{row.operatorName ?? "–"}</bdi>
            <span className="block text-xs text-muted-foreground max-lg:hidden">
              {formatShort(row.createdAt, timeZone)}
            </span>
          </span>
        ),
      },
    });
  }, [timeZone, kind]);
}

type CardListPageProps = { kind: CardListKind; search: CardSearch };

/** Cards that don't belong to a guest: staff cards for chosen rooms, master key cards for all rooms, and special cards. */
export function CardListPage({ kind, search }: CardListPageProps) {
  const navigate = useNavigate();
  const can = useCan();
  const canManage = can("cards.master");
  const list = useListState();
  const columns = useCardColumns(kind);
  const acts = useCardActs();
  const [openId, setOpenId] = useState<number>();
  const [cardToWrite, setCardToWrite] = useState<MasterCardRow>();
  const setHours = useMutation(trpc.cards.setHours.mutationOptions({ meta: { shownInForm: true } }));
  const [cardToTime, setCardToTime] = useState<MasterCardRow>();
  const state = search.show ?? "live";
  const filter = kind === "special" ? { special: true } : { kind };
  const input = { ...filter, state, query: list.query, page: list.page, pageSize: list.pageSize };
  const cards = useQuery(
    trpc.cards.list.queryOptions(input, { placeholderData: keepPreviousData, refetchInterval: BY_TIME_MILLISECONDS }),
  );
  const openCard = cards.data?.rows.find(({ id }) => id === openId);

  function actions(card: MasterCardRow): RowAction<MasterCardRow>[] {
    const rooms = {
      label: t("card.changeRooms"),
      icon: DoorClosed,
      onSelect: ({ id }: MasterCardRow) => void navigate({ to: "/center/selectRoomList", search: { card: id } }),
    };
    const hours = { label: t("card.hours.change"), icon: Clock, onSelect: setCardToTime };
    const report = (lost: MasterCardRow): void =>
      acts.askAboutLoss(lost, can("locks.view") ? () => openPlan(lost) : undefined);
    const writeAgain = { label: t("card.writeAgain"), icon: Nfc, onSelect: setCardToWrite };
    const openPlan = ({ id }: MasterCardRow): void =>
      void navigate({ to: "/center/removalPlan", search: { card: id } });
    const plan = { label: t("card.plan.title"), icon: ListChecks, needsServer: false, onSelect: openPlan };
    const wasLive = card.state === "revoking" || card.state === "revoked";
    if (wasLive) return can("locks.view") ? [plan] : [];
    if (!canManage || !isLive(card)) return [];
    return [
      ...(card.kind !== "universal" && card.kind !== "one_shot" ? [rooms] : []),
      ...(card.kind === "management" ? [hours] : []),
      ...(card.state === "pending" && card.kind !== "one_shot" ? [writeAgain] : []),
      { label: t("card.lost"), icon: ShieldAlert, danger: true, onSelect: report },
      { label: t("card.takeBack"), icon: Undo2, danger: true, onSelect: acts.askToTakeBack },
    ];
  }

  const isFiltered = list.query !== "" || search.show !== undefined;
  const addButton = canManage && (
    <Button asChild>
      <Link to={LISTS[kind].add} onClick={clearDraft}>
        <Plus aria-hidden />
        {t(`card.${kind}.add`)}
      </Link>
    </Button>
  );

  return (
    <>
      <PageHeader title={t(`nav.${kind}Cards`)} description={t(`card.${kind}.text`)} actions={addButton} />
      <KindTabs />
      <ExportedTable
        label={t(`nav.${kind}Cards`)}
        columns={columns}
        rows={cards.data?.rows}
        total={cards.data?.total}
        rowId={(row) => String(row.id)}
        {...list.table}
        error={cards.error}
        onRetry={() => void cards.refetch()}
        stale={cards.isPlaceholderData}
        onOpen={({ id }) => setOpenId(id)}
        actions={actions}
        exportList={{ list: "cards", filters: input }}
        empty={
          isFiltered
            ? { drawing: CardOverReader, title: t("card.noneFound"), description: t("card.noneFoundText") }
            : {
                drawing: CardOverReader,
                title: t(`card.${kind}.none`),
                description: t(`card.${kind}.noneText`),
                action: addButton,
              }
        }
        toolbar={
          <>
            <SearchInput label={t("card.search")} value={list.query} onChange={list.setQuery} />
            <Segmented
              aria-label={t("card.filter")}
              value={state}
              onChange={(show) => list.change({ show: show === "live" ? undefined : show })}
              options={CARD_FILTERS.map((value) => ({ value, label: t(`card.show.${value}`) }))}
            />
          </>
        }
      />
      {openCard && <CardSheet card={openCard} actions={actions(openCard)} onClose={() => setOpenId(undefined)} />}
      {cardToTime && (
        <HoursDialog
          hours={cardToTime.hours}
          onClose={() => setCardToTime(undefined)}
          onSave={async (hours) => {
            await setHours.mutateAsync({ cardId: cardToTime.id, hours });
            toast.success(t("card.hours.done", { card: cardToTime.note }));
          }}
        />
      )}
      {cardToWrite && cardToWrite.kind !== "guest" && cardToWrite.kind !== "one_shot" && (
        <MasterCardDialog
          card={{
            kind: cardToWrite.kind,
            allDoors: cardToWrite.allDoors,
            note: cardToWrite.note,
            roomIds: cardToWrite.roomIds,
            doorIds: cardToWrite.doorIds,
            groupIds: cardToWrite.groupIds,
            zoneIds: cardToWrite.zoneIds,
            hours: cardToWrite.hours,
            validFrom: null,
            validTo: cardToWrite.validTo,
          }}
          onClose={() => setCardToWrite(undefined)}
        />
      )}
    </>
  );
}

const linkStyle =
  "-mb-px flex h-10 items-center border-b-2 border-transparent font-medium whitespace-nowrap text-muted-foreground hover:text-foreground focus-visible:-outline-offset-2 data-[status=active]:border-brass data-[status=active]:text-foreground";

/** Tabs that switch between staff cards, master key cards, special cards and spare cards. */
export function KindTabs() {
  return (
    <nav aria-label={t("card.kinds")} className="scroll-quiet mb-5 flex gap-5 overflow-x-auto border-b">
      <Link to={LISTS.management.list} activeOptions={{ includeSearch: false }} className={linkStyle}>
        {t("nav.managementCards")}
      </Link>
      <Link to={LISTS.universal.list} activeOptions={{ includeSearch: false }} className={linkStyle}>
        {t("nav.universalCards")}
      </Link>
      <Link to={LISTS.special.list} activeOptions={{ includeSearch: false }} className={linkStyle}>
        {t("nav.specialCards")}
      </Link>
      <Link to="/center/spareCardList" activeOptions={{ includeSearch: false }} className={linkStyle}>
        {t("nav.spareCards")}
      </Link>
    </nav>
  );
}
