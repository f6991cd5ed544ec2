import type { FaceRow } from "@innkey/shared/schemas/access/faces";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { ChevronLeft, ChevronRight, DoorOpen, Pencil, Plus, Trash2, Undo2 } from "lucide-react";
import { useState } from "react";
import { DoorsList } from "@/entities/credential/credential-state.tsx";
import { ExportButton } from "@/entities/export/export-button.tsx";
import { windowText } from "@/entities/lock/lock-labels.ts";
import { cn } from "@/lib/cn.ts";
import { BY_TIME_MILLISECONDS } from "@/lib/events/topics.ts";
import { formatDateTime, formatNumber } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import { useCan, useHotel } from "@/lib/session.ts";
import { trpc } from "@/lib/trpc.ts";
import { ActionButton } from "@/ui/action/action-button.tsx";
import { IconButton } from "@/ui/action/icon-button.tsx";
import { NoPermission } from "@/ui/can.tsx";
import { Fact } from "@/ui/card-parts.tsx";
import { SheetPanel } from "@/ui/dialog/panel.tsx";
import { CardOverReader } from "@/ui/drawings.tsx";
import { PageHeader } from "@/ui/page-header.tsx";
import { EmptyState, ErrorState } from "@/ui/page-state.tsx";
import { Sheet } from "@/ui/primitives/sheet.tsx";
import { Skeleton } from "@/ui/primitives/skeleton.tsx";
import { SearchInput } from "@/ui/search-input.tsx";
import { useListState } from "@/ui/table/list-search.ts";
import type { RowAction } from "@/ui/table/table-model.ts";
import { EnrolDialog, GrantDialog, RenameDialog } from "./face-dialogs.tsx";
import { FacePicture, FaceTile, useFaceActs } from "./face-tile.tsx";

type FaceSheetProps = { face: FaceRow; actions: readonly RowAction<FaceRow>[]; onClose: () => void };

/** Details of one face: who consented and when, and its status at each lock. */
function FaceSheet({ face, actions, onClose }: FaceSheetProps) {
  const { timeZone } = useHotel();
  const canManage = useCan()("faces.manage");
  const acts = useFaceActs();
  const { note, guestName, imageUrl, consentAt, createdAt, operatorName, grants } = face;
  return (
    <Sheet open onOpenChange={(open) => !open && onClose()}>
      <SheetPanel
        title={<bdi>{note}</bdi>}
        description={guestName ?? undefined}
        footer={
          actions.length > 0 &&
          actions.map(({ label, icon: Icon, danger, needsServer = true, onSelect }) => (
            <ActionButton
              key={label}
              size="sm"
              variant={danger ? "ghost-destructive" : "outline"}
              needsServer={needsServer}
              onClick={() => onSelect(face)}
            >
              {Icon && <Icon aria-hidden />}
              {label}
            </ActionButton>
          ))
        }
      >
        <div className="grid grid-cols-1 gap-5">
          <FacePicture url={imageUrl} note={note} className="aspect-4/3 w-full rounded-lg border" />
          <dl className="grid gap-4 sm:grid-cols-2">
            <Fact label={t("face.consentGiven")}>{formatDateTime(consentAt, timeZone)}</Fact>
            <Fact label={t("face.takenIn")}>
              <bdi>{operatorName ?? "–"}</bdi>, {formatDateTime(createdAt, timeZone)}
            </Fact>
          </dl>
          <section aria-labelledby="face-doors">
            <h3 id="face-doors" className="mb-2 font-semibold">
              {t("passcode.standing")}
            </h3>
            {grants.length === 0 ? (
              <p className="text-muted-foreground">{t("face.opensNone")}</p>
            ) : (
              <DoorsList
                credentials={grants}
                after={(grant) => (
                  <>
                    {canManage && grant.state !== "revoking" && (
                      <IconButton
                        icon={Undo2}
                        size="icon-sm"
                        needsServer
                        label={t("face.withdrawFrom", { room: grant.roomName ?? "–" })}
                        onClick={() => acts.askToWithdraw(grant)}
                      />
                    )}
                    <span className="basis-full text-sm text-muted-foreground">
                      {windowText(grant.validFrom, grant.validTo, timeZone)}
                    </span>
                  </>
                )}
              />
            )}
          </section>
        </div>
      </SheetPanel>
    </Sheet>
  );
}

const SKELETON_KEYS = ["a", "b", "c", "d", "e"];
const gridStyle = "grid grid-cols-[repeat(auto-fill,minmax(min(100%,14rem),1fr))] gap-4";

type FaceDialogState = { kind: "enrol" } | { kind: "rename" | "grant"; face: FaceRow };

/** Lists everyone whose face opens doors, with their consent and the locks that have the face. */
export function FaceListPage() {
  const can = useCan();
  const list = useListState();
  const acts = useFaceActs();
  const [dialog, setDialog] = useState<FaceDialogState | null>(null);
  const [openId, setOpenId] = useState<number>();
  const isAllowed = can("faces.view");
  const canManage = can("faces.manage");
  const { page, pageSize } = list;
  const faces = useQuery(
    trpc.faces.list.queryOptions(
      { query: list.query.slice(0, 60), page, pageSize },
      { enabled: isAllowed, placeholderData: keepPreviousData, refetchInterval: BY_TIME_MILLISECONDS },
    ),
  );
  if (!isAllowed) return <NoPermission />;

  const { rows, total } = faces.data ?? { rows: [], total: 0 };
  const openFace = rows.find(({ id }) => id === openId);
  const grant: RowAction<FaceRow> = {
    label: t("face.grant"),
    icon: DoorOpen,
    onSelect: (face) => setDialog({ kind: "grant", face }),
  };
  const actions: RowAction<FaceRow>[] = canManage
    ? [
        ...(can("rooms.view") ? [grant] : []),
        { label: t("face.rename"), icon: Pencil, onSelect: (face) => setDialog({ kind: "rename", face }) },
        { label: t("face.remove"), icon: Trash2, danger: true, onSelect: acts.askToRemove },
      ]
    : [];
  const add = canManage && (
    <ActionButton onClick={() => setDialog({ kind: "enrol" })}>
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
            {SKELETON_KEYS.map((key) => (
              <Skeleton key={key} className="h-72" />
            ))}
          </div>
        ) : rows.length === 0 ? (
          <div className="rounded-lg border bg-card shadow-card">
            {list.query ? (
              <EmptyState drawing={CardOverReader} title={t("face.noneFound")} description={t("face.noneFoundText")} />
            ) : (
              <EmptyState
                drawing={CardOverReader}
                title={t("face.none")}
                description={t("face.noneText")}
                action={add}
                actionIsRepeated
              />
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
      {openFace && <FaceSheet face={openFace} actions={actions} onClose={() => setOpenId(undefined)} />}
      {dialog?.kind === "enrol" && (
        <EnrolDialog
          onClose={(faceId) => {
            setDialog(null);
            setOpenId(faceId);
          }}
        />
      )}
      {dialog?.kind === "rename" && <RenameDialog face={dialog.face} onClose={() => setDialog(null)} />}
      {dialog?.kind === "grant" && <GrantDialog face={dialog.face} onClose={() => setDialog(null)} />}
    </>
  );
}

type FacePagerProps = { page: number; pageSize: number; total: number; onPage: (page: number) => void };

/** Pager for the grid, like the one below a table. */
function FacePager({ page, pageSize, total, onPage }: FacePagerProps) {
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
