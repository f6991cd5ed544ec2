import type { BoardMark } from "@innkey/shared/schemas/overview/board-marks";
import type { Board, BoardRoom } from "@innkey/shared/schemas/property/rooms";
import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { Coffee } from "lucide-react";
import { useMemo, useRef } from "react";
import { listColumns } from "@/entities/export/list-columns.ts";
import { BlockOutMark } from "@/entities/lock/block-out-mark.tsx";
import { LockMark } from "@/entities/lock/lock-mark.tsx";
import { type BoardMarks, markOf } from "@/entities/room/board-marks.ts";
import { RewriteMark } from "@/entities/room/rewrite-mark.tsx";
import type { RoomActions } from "@/entities/room/room-actions.ts";
import { type RoomLabels, roomLabels } from "@/entities/room/room-labels.ts";
import { RoomLink } from "@/entities/room/room-link.tsx";
import { RoomMenu } from "@/entities/room/room-menu.tsx";
import { RoomStatusChip } from "@/entities/room/room-status.tsx";
import { cn } from "@/lib/cn.ts";
import { formatNumber, formatPrice } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import { useHotel } from "@/lib/session.ts";
import type { HotelClock } from "@/lib/time/timers.ts";
import { CheckboxInput } from "@/ui/form/choice-input.tsx";
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from "@/ui/primitives/table.tsx";
import { useIsPrinting } from "@/ui/printing.tsx";
import { StatusChip } from "@/ui/status-chip.tsx";
import type { DataColumn } from "@/ui/table/table-model.ts";
import { useBox } from "@/ui/use-box.ts";
import { keyMarkOf, OwedMark, WaitingMark } from "./card-marks.tsx";

const ROW_PIXELS = 48;

type SharedProps = {
  clock: HotelClock;
  actionsOf: (room: BoardRoom) => RoomActions;
  marks: BoardMarks;
  selection: ReadonlySet<number> | null;
  onToggle: (roomId: number) => void;
};

/** The board as a table, with more details for each room. */
export default function BoardTable({
  board,
  rooms,
  ...shared
}: SharedProps & { board: Board; rooms: readonly BoardRoom[] }) {
  const tableBox = useRef<HTMLDivElement>(null);
  const { top } = useBox(tableBox);
  const groups = useMemo(() => new Map(board.groups.map((group) => [group.id, group.name])), [board.groups]);
  const isPrinting = useIsPrinting();
  const virtualizer = useWindowVirtualizer({
    count: rooms.length,
    estimateSize: () => ROW_PIXELS,
    overscan: isPrinting ? rooms.length : 12,
    scrollMargin: top,
  });
  const items = virtualizer.getVirtualItems();
  const above = (items[0]?.start ?? top) - top;
  const below = virtualizer.getTotalSize() - ((items.at(-1)?.end ?? top) - top);
  const columns = useBoardColumns();

  return (
    <div ref={tableBox} className="overflow-clip rounded-lg border bg-card shadow-card">
      <Table
        className="table-fixed [--cell-y:--spacing(0)]"
        aria-label={t("board.title")}
        aria-rowcount={rooms.length + 1}
      >
        <TableHeader className="bg-sunken/60">
          <TableRow aria-rowindex={1}>
            {columns.map(({ id, header, className, align }) => (
              <TableHead key={id} className={cn(className, "text-xs", align === "end" && "text-end")}>
                {header}
              </TableHead>
            ))}
            <TableHead className="w-12">
              <span className="sr-only">{t("common.actions")}</span>
            </TableHead>
          </TableRow>
        </TableHeader>
        <TableBody lines={false}>
          {above > 0 && <Spacer height={above} />}
          {items.map((item) => {
            const room = rooms[item.index];
            return (
              room && (
                <RoomRow
                  key={room.id}
                  room={room}
                  index={item.index}
                  columns={columns}
                  group={groups.get(room.groupId ?? 0) ?? ""}
                  {...shared}
                />
              )
            );
          })}
          {below > 0 && <Spacer height={below} />}
        </TableBody>
      </Table>
    </div>
  );
}

function Spacer({ height }: { height: number }) {
  return (
    <TableRow aria-hidden style={{ height }}>
      <TableCell />
    </TableRow>
  );
}

type RowView = {
  room: BoardRoom;
  /** What is missing of the stay that the row shows. */
  mark: BoardMark | undefined;
  labels: RoomLabels;
  group: string;
  selection: ReadonlySet<number> | null;
  onToggle: (roomId: number) => void;
};

function useBoardColumns(): DataColumn<RowView>[] {
  const { currency } = useHotel();
  return useMemo(
    () =>
      listColumns<"rooms", RowView>("rooms", {
        name: { className: "w-20 lg:w-40", cell: (row) => <RoomName {...row} /> },
        status: {
          className: "w-32 max-sm:hidden lg:w-36",
          cell: ({ room, labels }) =>
            labels.overdue ? (
              <StatusChip tone="expired" size="sm">
                {t("status.overdue")}
              </StatusChip>
            ) : (
              <RoomStatusChip status={room.status} size="sm" />
            ),
        },
        guest: { cell: (row) => <Guest {...row} currency={currency} /> },
        when: { className: "w-44 truncate text-sm max-lg:hidden", cell: ({ labels }) => labels.detail },
        left: {
          className: "w-24 truncate text-sm max-xl:hidden",
          align: "end",
          cell: ({ room, labels }) => (
            <span className={labels.overdue ? "font-medium text-expired" : undefined}>
              {room.current && labels.figure}
            </span>
          ),
        },
        balance: {
          className: "w-24 max-lg:hidden [&>span]:align-middle",
          align: "end",
          cell: ({ mark }) => mark?.owedMinor != null && <OwedMark owedMinor={mark.owedMinor} currency={currency} />,
        },
        group: {
          className: "w-32 truncate text-sm text-muted-foreground max-[1700px]:hidden",
          cell: ({ group }) => group,
        },
        floor: {
          className: "w-16 text-sm text-muted-foreground max-[1700px]:hidden",
          align: "end",
          cell: ({ room }) => formatNumber(room.floor),
        },
        lock: { className: "w-20 max-xl:hidden", cell: ({ room }) => <LockMark lock={room.lock} className="flex" /> },
        price: {
          className: "w-24 text-sm max-xl:hidden",
          align: "end",
          cell: ({ room }) => formatPrice(room.usualMinor, currency),
        },
      }),
    [currency],
  );
}

function RoomName({ room, labels, selection, onToggle }: RowView) {
  return (
    <div className="flex items-center gap-2.5">
      {selection && (
        <CheckboxInput value={selection.has(room.id)} onChange={() => onToggle(room.id)} aria-label={labels.label} />
      )}
      <RoomLink
        roomId={room.id}
        aria-label={labels.label}
        className={cn(
          "truncate rounded-sm text-lg font-semibold underline-offset-4 hover:underline",
          !selection && "before:absolute before:inset-0 before:content-['']",
        )}
      >
        {room.name}
      </RoomLink>
      <span dir="auto" className="name-run truncate text-sm text-muted-foreground max-lg:hidden">
        {room.remarkName}
      </span>
    </div>
  );
}

function Guest({ room, mark, labels, currency }: RowView & { currency: string }) {
  return (
    <div className="flex items-center gap-2">
      <div className="min-w-0">
        <p dir={labels.isGuestName ? undefined : "auto"} className="name-run truncate">
          {(labels.isGuestName || room.status === "maintenance") && labels.mainText}
        </p>
        <RoomStatusChip status={room.status} size="sm" className="bg-transparent! px-0! sm:hidden" />
      </div>
      <RewriteMark room={room} />
      <BlockOutMark lock={room.lock} />
      {keyMarkOf(room, mark?.key ?? null) === "waiting" && <WaitingMark />}
      {room.current?.breakfast && (
        <Coffee aria-label={t("board.breakfast")} className="size-4 shrink-0 text-muted-foreground" />
      )}
      {mark?.owedMinor != null && (
        <span className="ms-auto lg:hidden">
          <OwedMark owedMinor={mark.owedMinor} currency={currency} />
        </span>
      )}
    </div>
  );
}

type RoomRowProps = SharedProps & {
  room: BoardRoom;
  index: number;
  group: string;
  columns: readonly DataColumn<RowView>[];
};

function RoomRow({ room, index, group, columns, clock, actionsOf, marks, selection, onToggle }: RoomRowProps) {
  const hotel = useHotel();
  const view = {
    room,
    mark: markOf(room, marks, clock),
    labels: roomLabels(room, clock, hotel),
    group,
    selection,
    onToggle,
  };
  const isSelected = selection?.has(room.id) ?? false;

  return (
    <TableRow
      aria-rowindex={index + 2}
      aria-selected={selection ? isSelected : undefined}
      data-room={room.id}
      style={{ height: ROW_PIXELS }}
      className={cn("relative border-t transition-colors hover:bg-hover", isSelected && "bg-selected")}
    >
      {columns.map(({ id, className, align, cell }) => {
        const style = cn("font-normal", align === "end" && "text-end", className);
        return id === "name" ? (
          <TableHead key={id} scope="row" className={style}>
            {cell(view)}
          </TableHead>
        ) : (
          <TableCell key={id} className={style}>
            {cell(view)}
          </TableCell>
        );
      })}
      <TableCell className="relative text-end last:pe-3">
        <RoomMenu room={room} actions={actionsOf(room)} />
      </TableCell>
    </TableRow>
  );
}
