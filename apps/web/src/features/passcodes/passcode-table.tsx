import type { PasscodeRow, passcodesInput } from "@innkey/shared/schemas/access/passcodes";
import type { RoomDetail } from "@innkey/shared/schemas/property/rooms";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { type ReactNode, useMemo, useState } from "react";
import type { z } from "zod";
import {
  DoorsChip,
  DoorsList,
  locksWithFormerHours,
  PendingRevocationsLink,
} from "@/entities/credential/credential-state.tsx";
import { periodText as hoursPeriodText, hoursText } from "@/entities/credential/hours-text.ts";
import { ExportedTable } from "@/entities/export/exported-table.tsx";
import { listColumns } from "@/entities/export/list-columns.ts";
import { windowText } from "@/entities/lock/lock-labels.ts";
import { useStayActions } from "@/entities/stay/stay-actions.tsx";
import { BY_TIME_MILLISECONDS } from "@/lib/events/topics.ts";
import { formatDateTime, formatList, formatShort } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import { useCan, useHotel } from "@/lib/session.ts";
import { trpc } from "@/lib/trpc.ts";
import { ActionButton } from "@/ui/action/action-button.tsx";
import { Callout } from "@/ui/callout.tsx";
import { Fact } from "@/ui/card-parts.tsx";
import { SheetPanel } from "@/ui/dialog/panel.tsx";
import { KeyOnHook } from "@/ui/drawings.tsx";
import { Sheet } from "@/ui/primitives/sheet.tsx";
import type { DataTableProps } from "@/ui/table/data-table.tsx";
import { useListState } from "@/ui/table/list-search.ts";
import type { DataColumn, RowAction } from "@/ui/table/table-model.ts";
import { usePasscodeActs } from "./use-passcode-acts.tsx";

/** Returns the period in which a code opens, as text. */
export function periodText({ type, validFrom, validTo }: PasscodeRow, timeZone: string): string {
  if (type === "one_time") return t("passcode.untilUsed");
  return validTo === null ? t("passcode.permanent") : windowText(validFrom, validTo, timeZone);
}

function usePasscodeColumns(inRoom = false): DataColumn<PasscodeRow>[] {
  const { timeZone } = useHotel();
  return useMemo(
    () =>
      listColumns<"passcodes", PasscodeRow>("passcodes", {
        person: {
          fixed: true,
          card: "title",
          cell: (row) => (
            <span className="block min-w-0">
              <span className="block truncate font-medium">
                <bdi>{row.person}</bdi>
              </span>
              {row.note && (
                <span className="block truncate text-sm font-normal text-muted-foreground">
                  <bdi>{row.note}</bdi>
                </span>
              )}
            </span>
          ),
        },
        type: { cell: (row) => t(`locks.passcodeType.${row.type}`) },
        rooms: !inRoom && {
          className: "max-w-48",
          cell: (row) => (
            <span className="block truncate">
              <bdi>{row.roomNames || "–"}</bdi>
            </span>
          ),
        },
        period: {
          cell: (row) => (
            <span className="block">
              {periodText(row, timeZone)}
              {row.hours.length > 0 && (
                <span className="block truncate text-sm text-muted-foreground" title={hoursText(row.hours)}>
                  {hoursText(row.hours)}
                </span>
              )}
            </span>
          ),
        },
        state: { cell: (row) => <DoorsChip credentials={row.credentials} isOneTime={row.type === "one_time"} /> },
        issued: {
          cell: (row) => (
            <span className="block">
              <span className="block whitespace-nowrap">{formatShort(row.createdAt, timeZone)}</span>
              {row.operatorName && (
                <span className="block truncate text-sm text-muted-foreground">
                  <bdi>{row.operatorName}</bdi>
                </span>
              )}
            </span>
          ),
        },
      }),
    [timeZone, inRoom],
  );
}

type PasscodeSheetProps = {
  passcode: PasscodeRow;
  actions: readonly RowAction<PasscodeRow>[];
  onClose: () => void;
};

/** Details of one code: its holder, its period, and its status at each lock. */
function PasscodeSheet({ passcode, actions, onClose }: PasscodeSheetProps) {
  const { timeZone } = useHotel();
  const can = useCan();
  const { person, note, type, stayGuestId, credentials, createdAt, operatorName, hours } = passcode;
  const formerHours = locksWithFormerHours(credentials);
  return (
    <Sheet open onOpenChange={(open) => !open && onClose()}>
      <SheetPanel
        title={<bdi>{person}</bdi>}
        description={t(`locks.passcodeType.${type}`)}
        footer={
          actions.length > 0 &&
          actions.map(({ label, icon: Icon, danger, needsServer = true, onSelect }) => (
            <ActionButton
              key={label}
              size="sm"
              variant={danger ? "ghost-destructive" : "outline"}
              needsServer={needsServer}
              onClick={() => onSelect(passcode)}
            >
              {Icon && <Icon aria-hidden />}
              {label}
            </ActionButton>
          ))
        }
      >
        <div className="grid grid-cols-1 gap-5">
          {credentials.some(({ state }) => state === "revoking") && (
            <Callout
              tone="warning"
              title={t("passcode.mayStillOpen")}
              actions={can("locks.view") && <PendingRevocationsLink />}
            />
          )}
          {formerHours.length > 0 && (
            <Callout tone="warning" title={t("card.hours.oldTitle")}>
              {t("card.hours.oldText", { rooms: formatList(formerHours) })}
            </Callout>
          )}
          <dl className="grid gap-4 sm:grid-cols-2">
            <Fact label={t("passcode.period")}>{periodText(passcode, timeZone)}</Fact>
            {hours.length > 0 && (
              <Fact label={t("card.hours.title")}>
                {hours.map((period) => (
                  <span key={JSON.stringify(period)} className="block">
                    {hoursPeriodText(period)}
                  </span>
                ))}
              </Fact>
            )}
            <Fact label={t("passcode.issued")}>
              <bdi>{operatorName ?? "–"}</bdi>, {formatDateTime(createdAt, timeZone)}
            </Fact>
            {note && (
              <Fact label={t("passcode.note")} className="col-span-full">
                {note}
              </Fact>
            )}
            {stayGuestId !== null && can("stays.view") && (
              <Fact label={t("guest.stay")}>
                <Link
                  to="/room/thetouristsDetails"
                  search={{ id: stayGuestId }}
                  className="underline decoration-border underline-offset-4 hover:decoration-current"
                >
                  {t("board.guestDetails")}
                </Link>
              </Fact>
            )}
          </dl>
          <section aria-labelledby="passcode-doors">
            <h3 id="passcode-doors" className="mb-2 font-semibold">
              {t("passcode.standing")}
            </h3>
            <DoorsList credentials={credentials} isOneTime={type === "one_time"} />
          </section>
        </div>
      </SheetPanel>
    </Sheet>
  );
}

type PasscodeTableProps = {
  filter: Pick<z.input<typeof passcodesInput>, "state" | "roomId" | "type">;
  empty: DataTableProps<object>["empty"];
  toolbar?: ReactNode;
  /** True on a room's own page. */
  inRoom?: boolean;
};

/** Lists codes with their status at each door. */
export function PasscodeTable({ filter, empty, toolbar, inRoom }: PasscodeTableProps) {
  const list = useListState();
  const columns = usePasscodeColumns(inRoom);
  const acts = usePasscodeActs();
  const [openId, setOpenId] = useState<number>();
  const isLive = filter.state !== "ended";
  const input = { ...filter, query: list.query.slice(0, 60), page: list.page, pageSize: list.pageSize };
  const passcodes = useQuery(
    trpc.passcodes.list.queryOptions(input, {
      placeholderData: keepPreviousData,
      refetchInterval: BY_TIME_MILLISECONDS,
    }),
  );
  const openPasscode = passcodes.data?.rows.find(({ id }) => id === openId);
  return (
    <>
      <ExportedTable
        label={t("nav.passcodes")}
        columns={columns}
        rows={passcodes.data?.rows}
        total={passcodes.data?.total}
        rowId={(row) => String(row.id)}
        {...list.table}
        error={passcodes.error}
        onRetry={() => void passcodes.refetch()}
        stale={passcodes.isPlaceholderData}
        onOpen={(row) => setOpenId(row.id)}
        actions={isLive ? (row) => acts.actions(row, isLive) : undefined}
        exportList={{ list: "passcodes", filters: input }}
        empty={empty}
        toolbar={toolbar}
      />
      {openPasscode && (
        <PasscodeSheet
          passcode={openPasscode}
          actions={acts.actions(openPasscode, isLive)}
          onClose={() => setOpenId(undefined)}
        />
      )}
      {acts.dialog}
    </>
  );
}

/** Lists the codes that open one room's door. */
export function RoomPasscodes({ room }: { room: RoomDetail }) {
  const stays = useStayActions();
  const canIssue = useCan()("passcodes.issue") && room.lock !== null;
  return (
    <PasscodeTable
      inRoom
      filter={{ state: "live", roomId: room.id }}
      empty={{
        drawing: KeyOnHook,
        title: t("passcode.noneOfRoom"),
        description: room.lock ? t("passcode.noneText") : t("errors.lock_missing"),
      }}
      toolbar={
        <>
          <h2 className="text-lg font-semibold">{t("nav.passcodes")}</h2>
          {canIssue && (
            <ActionButton variant="outline" size="sm" onClick={() => stays.createPasscode({ roomIds: [room.id] })}>
              <Plus aria-hidden />
              {t("passcode.new")}
            </ActionButton>
          )}
        </>
      }
    />
  );
}
