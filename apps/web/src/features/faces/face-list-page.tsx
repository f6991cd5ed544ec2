import type { FaceRow } from "@innkey/shared/schemas/access/faces";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { ChevronLeft, ChevronRight, DoorOpen, Pencil, Plus, ScanFace, SearchX, Trash2 } from "lucide-react";
import { useState } from "react";
import { ExportButton } from "@/entities/export/export-button.tsx";
import { cn } from "@/lib/cn.ts";
import { BY_TIME_MILLISECONDS } from "@/lib/events/topics.ts";
import { formatNumber } from "@/lib/format.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { useCan } from "@/lib/session.ts";
import { trpc } from "@/lib/trpc.ts";
import { ActionButton } from "@/ui/action/action-button.tsx";
import { IconButton } from "@/ui/action/icon-button.tsx";
import { EmptyState } from "@/ui/empty-state.tsx";
import { ErrorState } from "@/ui/error-state.tsx";
import { NoPermission } from "@/ui/no-permission.tsx";
import { PageHeader } from "@/ui/page-header.tsx";
import { Skeleton } from "@/ui/primitives/skeleton.tsx";
import { SearchInput } from "@/ui/search-input.tsx";
import type { RowAction } from "@/ui/table/columns.ts";
import { useListState } from "@/ui/table/list-search.ts";
import { EnrolDialog, GrantDialog, RenameDialog } from "./face-dialogs.tsx";
import { FaceSheet } from "./face-sheet.tsx";
import { FaceTile } from "./face-tile.tsx";
import { useFaceActs } from "./use-face-acts.ts";

const PLACES = ["a", "b", "c", "d", "e"];
const gridStyle = "grid grid-cols-[repeat(auto-fill,minmax(min(100%,14rem),1fr))] gap-4";

type FaceDialogState = { kind: "enrol" } | { kind: "rename" | "grant"; face: FaceRow };

/** Lists everyone whose face opens doors, with their consent and the locks that have the face. */
export function FaceListPage() {
  const { t } = useTranslation();
  const can = useCan();
  const list = useListState();
  const acts = useFaceActs();
  const [toDelete, setToDelete] = useState<FaceDialogState | null>(null);
  const [openId, setOpenId] = useState<number>();
  const allowed = can("faces.view");
  const manage = can("faces.manage");
  const { page, pageSize } = list;
  const faces = useQuery(
    trpc.faces.list.queryOptions(
      { query: list.query.slice(0, 60), page, pageSize },
      { enabled: allowed, placeholderData: keepPreviousData, refetchInterval: BY_TIME_MILLISECONDS },
    ),
  );
  if (!allowed) return <NoPermission />;

  const { rows, total } = faces.data ?? { rows: [], total: 0 };
  const open = rows.find(({ id }) => id === openId);
  const grant: RowAction<FaceRow> = {
    label: t("face.grant"),
    icon: DoorOpen,
    onSelect: (face) => setToDelete({ kind: "grant", face }),
  };
  const actions: RowAction<FaceRow>[] = manage
    ? [
        ...(can("rooms.view") ? [grant] : []),
        { label: t("face.rename"), icon: Pencil, onSelect: (face) => setToDelete({ kind: "rename", face }) },
        { label: t("face.remove"), icon: Trash2, danger: true, onSelect: acts.askToRemove },
      ]
    : [];
  const add = manage && (
    <ActionButton onClick={() => setToDelete({ kind: "enrol" })}>
      <Plus aria-hidden />
      {t("face.add")}
    </ActionButton>
  );
  return (
    <>
      <PageHeader title={t("nav.faces")} description={t("face.text")} actions={add} />
      <section aria-label={t("nav.faces")} aria-busy={!faces.data && !faces.error}>
        <div className="mb-4 flex flex-wrap items-center gap-2">
          <SearchInput label={t("face.search")} value={list.query} onChange={list.setQuery} />
          <div className="ms-auto">
            <ExportButton list="faces" filters={{ query: list.query.slice(0, 60) }} page={page} pageSize={pageSize} />
          </div>
        </div>
        {faces.error && !faces.data ? (
          <ErrorState error={faces.error} onRetry={() => void faces.refetch()} />
        ) : !faces.data ? (
          <div className={gridStyle}>
            {PLACES.map((roomGrant) => (
              <Skeleton key={roomGrant} className="h-72" />
            ))}
          </div>
        ) : rows.length === 0 ? (
          <div className="rounded-lg border bg-card shadow-card">
            {list.query ? (
              <EmptyState icon={SearchX} title={t("face.noneFound")} description={t("face.noneFoundText")} />
            ) : (
              <EmptyState icon={ScanFace} title={t("face.none")} description={t("face.noneText")} />
            )}
          </div>
        ) : (
          <ul className={cn(gridStyle, "transition-opacity", faces.isPlaceholderData && "opacity-60")}>
            {rows.map((face) => (
              <FaceTile key={face.id} face={face} actions={actions} onOpen={() => setOpenId(face.id)} />
            ))}
          </ul>
        )}
        {total > 0 && (
          <FacePager page={page} pageSize={pageSize} total={total} onPage={(next) => list.change({ page: next })} />
        )}
      </section>
      {open && <FaceSheet face={open} actions={actions} onClose={() => setOpenId(undefined)} />}
      {toDelete?.kind === "enrol" && (
        <EnrolDialog
          onClose={(faceId) => {
            setToDelete(null);
            setOpenId(faceId);
          }}
        />
      )}
      {toDelete?.kind === "rename" && <RenameDialog face={toDelete.face} onClose={() => setToDelete(null)} />}
      {toDelete?.kind === "grant" && <GrantDialog face={toDelete.face} onClose={() => setToDelete(null)} />}
    </>
  );
}

type FacePagerProps = { page: number; pageSize: number; total: number; onPage: (page: number) => void };

/** Pager for the grid, like the one below a table. */
function FacePager({ page, pageSize, total, onPage }: FacePagerProps) {
  const { t } = useTranslation();
  if (total <= pageSize && page === 1)
    return (
      <p className="mt-3 text-sm text-muted-foreground">
        {t("common.rowCount", { count: total, formatted: formatNumber(total) })}
      </p>
    );
  const from = Math.min((page - 1) * pageSize + 1, total);
  const to = Math.min(page * pageSize, total);
  return (
    <nav
      aria-label={t("common.pages")}
      className="mt-3 flex items-center justify-between gap-3 text-sm text-muted-foreground"
    >
      <p aria-live="polite">
        {t("common.rowRange", { from: formatNumber(from), to: formatNumber(to), total: formatNumber(total) })}
      </p>
      <div className="flex gap-1">
        <IconButton
          icon={ChevronLeft}
          flip
          size="icon-sm"
          label={t("common.previousPage")}
          disabled={page === 1}
          onClick={() => onPage(page - 1)}
        />
        <IconButton
          icon={ChevronRight}
          flip
          size="icon-sm"
          label={t("common.nextPage")}
          disabled={to >= total}
          onClick={() => onPage(page + 1)}
        />
      </div>
    </nav>
  );
}
