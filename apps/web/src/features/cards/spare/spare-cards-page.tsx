import type { SpareCardRow, SpareCards } from "@innkey/shared/schemas/access/cards";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Plus, Printer, ShieldAlert, Undo2 } from "lucide-react";
import { Suspense, useCallback, useMemo, useState } from "react";
import { BY_TIME_MILLISECONDS } from "@/lib/events/topics.ts";
import { formatList, formatShort } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import { appLazy } from "@/lib/loading/app-lazy.ts";
import { useCan, useHotel } from "@/lib/session.ts";
import { trpc } from "@/lib/trpc.ts";
import { ActionButton } from "@/ui/action/action-button.tsx";
import { Callout } from "@/ui/callout.tsx";
import { NoPermission } from "@/ui/can.tsx";
import { CardOverReader } from "@/ui/drawings.tsx";
import { PageHeader } from "@/ui/page-header.tsx";
import { ErrorState, PageSkeleton } from "@/ui/page-state.tsx";
import { Button } from "@/ui/primitives/button.tsx";
import { StatusChip, type StatusTone } from "@/ui/status-chip.tsx";
import { DataTable } from "@/ui/table/data-table.tsx";
import type { DataColumn, RowAction } from "@/ui/table/table-model.ts";
import { KindTabs } from "../card-list-page.tsx";
import { useCardActs } from "../use-card-acts.ts";

const PaperSheet = appLazy(() => import("./spare-sheet.tsx"));

const TONES: Record<SpareCardRow["state"], StatusTone> = {
  pending: "neutral",
  sealed: "success",
  used: "danger",
  void: "expired",
  expired: "expired",
  revoked: "neutral",
};

/** The sealed cards of rooms with which the desk lets guests in while no card can be encoded. */
export function SpareCardsPage() {
  const isAllowed = useCan()("cards.master");
  const spares = useQuery(
    trpc.cards.spares.queryOptions(undefined, { enabled: isAllowed, refetchInterval: BY_TIME_MILLISECONDS }),
  );
  const [sheet, setSheet] = useState<SpareCards | null>(null);
  const endPrinting = useCallback(() => setSheet(null), []);
  if (!isAllowed) return <NoPermission />;
  const addButton = (
    <Button asChild>
      <Link to="/center/addSpareCards">
        <Plus aria-hidden />
        {t("spare.add")}
      </Link>
    </Button>
  );
  return (
    <>
      <PageHeader
        title={t("nav.spareCards")}
        description={t("spare.text")}
        actions={
          <>
            <ActionButton
              variant="outline"
              needsServer={false}
              disabled={!spares.data}
              onClick={() => setSheet(spares.data ?? null)}
            >
              <Printer aria-hidden />
              {t("roster.print")}
            </ActionButton>
            {addButton}
          </>
        }
      />
      <KindTabs />
      {spares.error && !spares.data ? (
        <ErrorState error={spares.error} onRetry={() => void spares.refetch()} />
      ) : spares.data ? (
        <Spares spares={spares.data} />
      ) : (
        <PageSkeleton />
      )}
      {sheet && (
        <Suspense>
          <PaperSheet spares={sheet} onPrinted={endPrinting} />
        </Suspense>
      )}
    </>
  );
}

function Spares({ spares }: { spares: SpareCards }) {
  const { timeZone } = useHotel();
  const acts = useCardActs();
  const rows = spares.rooms.flatMap(({ cards }) => cards);
  const needed = spares.rooms.filter(({ needsCard }) => needsCard).map(({ roomName }) => roomName);
  const columns = useMemo(
    (): DataColumn<SpareCardRow>[] => [
      {
        id: "label",
        header: t("spare.card"),
        fixed: true,
        card: "title",
        cell: ({ label, mayStillOpen }) => (
          <>
            <bdi className="figures font-medium">{label}</bdi>
            {mayStillOpen && <span className="block text-xs font-medium text-expired">{t("spare.mayStillOpen")}</span>}
          </>
        ),
      },
      {
        id: "state",
        header: t("roster.state"),
        card: "status",
        cell: ({ state }) => (
          <StatusChip tone={TONES[state]} size="sm">
            {t(`spare.state.${state}`)}
          </StatusChip>
        ),
      },
      { id: "validTo", header: t("card.validTo"), cell: ({ validTo }) => formatShort(validTo, timeZone) },
      {
        id: "used",
        header: t("card.lastUsed"),
        cell: ({ usedAt }) => (usedAt ? formatShort(usedAt, timeZone) : t("card.neverUsed")),
      },
      {
        id: "issued",
        header: t("card.issuedBy"),
        cell: ({ operatorName, createdAt }) => (
          <>
            <bdi>{operatorName ?? "–"}</bdi>
            <span className="block text-xs text-muted-foreground">{formatShort(createdAt, timeZone)}</span>
          </>
        ),
      },
    ],
    [timeZone],
  );

  function actions({ id, label, state, mayStillOpen }: SpareCardRow): RowAction<SpareCardRow>[] {
    const isOver = state === "revoked" || state === "expired" || mayStillOpen;
    if (isOver) return [];
    const card = { id, uid: label, kind: "management" as const, overTheAir: false };
    return [
      { label: t("card.lost"), icon: ShieldAlert, danger: true, onSelect: () => acts.askAboutLoss(card) },
      { label: t("card.takeBack"), icon: Undo2, danger: true, onSelect: () => acts.askToTakeBack(card) },
    ];
  }

  return (
    <div className="grid grid-cols-1 gap-4">
      {needed.length > 0 && (
        <Callout tone="warning" title={t("spare.needed")}>
          {t("spare.neededText", { rooms: formatList(needed) })}
        </Callout>
      )}
      <DataTable
        label={t("nav.spareCards")}
        columns={columns}
        rows={rows}
        rowId={({ id }) => String(id)}
        actions={actions}
        empty={{ drawing: CardOverReader, title: t("spare.none"), description: t("spare.noneText") }}
      />
    </div>
  );
}
