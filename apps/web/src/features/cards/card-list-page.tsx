import type { MasterCardRow } from "@innkey/shared/schemas/cards";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { CreditCard, DoorClosed, Nfc, Plus, SearchX, ShieldAlert, Undo2 } from "lucide-react";
import { useState } from "react";
import { ExportedTable } from "@/entities/export/exported-table.tsx";
import { useTranslation } from "@/lib/i18n.ts";
import { useCan } from "@/lib/session.ts";
import { trpc } from "@/lib/trpc.ts";
import { PageHeader } from "@/ui/page-header.tsx";
import { Button } from "@/ui/primitives/button.tsx";
import { Segmented } from "@/ui/primitives/segmented.tsx";
import { SearchInput } from "@/ui/search-input.tsx";
import type { RowAction } from "@/ui/table/columns.ts";
import { useListState } from "@/ui/table/list-search.ts";
import { useCardColumns } from "./card-columns.tsx";
import { CARD_FILTERS, type CardSearch } from "./card-search.ts";
import { CardSheet } from "./card-sheet.tsx";
import { MasterCardDialog } from "./master-card-dialog.tsx";
import { isLive, useCardActs } from "./use-card-acts.ts";
import { dropDraft } from "./writing/card-draft.ts";

/** Locks answer within seconds, and staff open this list to see those answers. */
const REFRESH_MILLISECONDS = 5000;

type CardListPageProps = { kind: "management" | "universal"; search: CardSearch };

/** Cards that don't belong to a guest: staff cards for chosen rooms and master key cards for all rooms. */
export function CardListPage({ kind, search }: CardListPageProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const may = useCan()("cards.master");
  const list = useListState();
  const columns = useCardColumns(kind);
  const acts = useCardActs();
  const [openId, setOpenId] = useState<number>();
  const [written, setWritten] = useState<MasterCardRow>();
  const state = search.show ?? "live";
  const input = { kind, state, query: list.query, page: list.page, pageSize: list.pageSize };
  const cards = useQuery(
    trpc.cards.list.queryOptions(input, { placeholderData: keepPreviousData, refetchInterval: REFRESH_MILLISECONDS }),
  );
  const open = cards.data?.rows.find(({ id }) => id === openId);

  function actions(card: MasterCardRow): RowAction<MasterCardRow>[] {
    const rooms = {
      label: t("card.changeRooms"),
      icon: DoorClosed,
      onSelect: ({ id }: MasterCardRow) => void navigate({ to: "/center/selectRoomList", search: { card: id } }),
    };
    const again = { label: t("card.writeAgain"), icon: Nfc, onSelect: setWritten };
    if (!may || !isLive(card)) return [];
    return [
      ...(kind === "management" ? [rooms] : []),
      ...(card.tooShort || card.state === "pending" ? [again] : []),
      { label: t("card.lost"), icon: ShieldAlert, danger: true, onSelect: acts.askAboutLoss },
      { label: t("card.takeBack"), icon: Undo2, danger: true, onSelect: acts.askToTakeBack },
    ];
  }

  const narrowed = list.query !== "" || search.show !== undefined;
  const add = may && (
    <Button variant="primary" asChild>
      <Link to={kind === "management" ? "/center/addCard" : "/center/addUniversalCard"} onClick={dropDraft}>
        <Plus aria-hidden />
        {t(`card.${kind}.add`)}
      </Link>
    </Button>
  );

  return (
    <>
      <PageHeader title={t(`nav.${kind}Cards`)} description={t(`card.${kind}.text`)} actions={add} />
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
          narrowed
            ? { icon: SearchX, title: t("card.noneFound"), description: t("card.noneFoundText") }
            : { icon: CreditCard, title: t(`card.${kind}.none`), description: t(`card.${kind}.noneText`), action: add }
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
      {open && <CardSheet card={open} actions={actions(open)} onClose={() => setOpenId(undefined)} />}
      {written && (
        <MasterCardDialog
          card={{ kind, note: written.note, roomIds: written.roomIds, validFrom: null, validTo: written.validTo }}
          onClose={() => setWritten(undefined)}
        />
      )}
    </>
  );
}

const linkStyle =
  "-mb-px flex h-10 items-center border-b-2 border-transparent font-medium whitespace-nowrap text-muted-foreground hover:text-foreground focus-visible:-outline-offset-2 data-[status=active]:border-brass data-[status=active]:text-foreground";

/** Tabs that switch between staff cards and master key cards. */
function KindTabs() {
  const { t } = useTranslation();
  return (
    <nav aria-label={t("card.kinds")} className="scroll-quiet mb-5 flex gap-5 overflow-x-auto border-b">
      <Link to="/center/cardList" activeOptions={{ includeSearch: false }} className={linkStyle}>
        {t("nav.managementCards")}
      </Link>
      <Link to="/center/universalCardList" activeOptions={{ includeSearch: false }} className={linkStyle}>
        {t("nav.universalCards")}
      </Link>
    </nav>
  );
}
