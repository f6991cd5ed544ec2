import type { WhoEntered } from "@innkey/shared/schemas/access/unlocks";
import { useQuery } from "@tanstack/react-query";
import { Printer } from "lucide-react";
import { useCallback, useState } from "react";
import { formatDateTime, formatNumber } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import { useHotel } from "@/lib/session.ts";
import { trpc } from "@/lib/trpc.ts";
import { ActionButton } from "@/ui/action/action-button.tsx";
import { CardHeading } from "@/ui/card-parts.tsx";
import { ClosedDoor } from "@/ui/drawings.tsx";
import { missingSubject } from "@/ui/missing-subject.tsx";
import { PageHeader } from "@/ui/page-header.tsx";
import { EmptyState, ErrorState, PageSkeleton } from "@/ui/page-state.tsx";
import { Card } from "@/ui/primitives/card.tsx";
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from "@/ui/primitives/table.tsx";
import { PrintSheet, usePrinting } from "@/ui/printing.tsx";
import { openingText } from "./record-style.ts";

type EnteredRoom = WhoEntered["rooms"][number];
type EnteredDoor = WhoEntered["doors"][number];
type Entry = EnteredRoom["entries"][number];

/** Returns e.g. "18 Nov, 14:00 – now". */
function roomPeriod({ from, to }: EnteredRoom, timeZone: string): string {
  return `${formatDateTime(from, timeZone)} – ${to ? formatDateTime(to, timeZone) : t("entered.now")}`;
}

function refusedText({ refused }: EnteredRoom): string | null {
  return refused === 0 ? null : t("entered.refused", { formatted: formatNumber(refused) });
}

function openerText({ who, name }: Entry): string {
  if (name && (who === "party" || who === "staff" || who === "emergency" || who === "spare" || who === "remote"))
    return t(`entered.by.${who}Named`, { name });
  return t(`entered.by.${who}`);
}

/** What the openings of a common door are, and its zones. */
const doorText = ({ zones }: EnteredDoor): string => [t("entered.withKeys"), ...zones].join(" · ");

/** Lists the openings of one door, newest first. */
function EntryTable({ entries, label }: { entries: readonly Entry[]; label: string }) {
  const { timeZone } = useHotel();
  return (
    <Table aria-label={label} className="border-t">
      <TableHeader>
        <TableRow>
          <TableHead>{t("room.unlockAt")}</TableHead>
          <TableHead>{t("entered.who")}</TableHead>
          <TableHead className="max-sm:hidden">{t("room.unlockStyle")}</TableHead>
        </TableRow>
      </TableHeader>
      <TableBody>
        {entries.map((entry) => (
          <TableRow key={entry.id}>
            <TableCell className="whitespace-nowrap">
              <time dateTime={entry.at}>{formatDateTime(entry.at, timeZone)}</time>
            </TableCell>
            <TableCell>
              {openerText(entry)}
              {entry.openingReason && <span className="block text-sm text-muted-foreground">{openingText(entry)}</span>}
            </TableCell>
            <TableCell className="text-muted-foreground max-sm:hidden">{t(`room.style.${entry.style}`)}</TableCell>
          </TableRow>
        ))}
      </TableBody>
    </Table>
  );
}

/** Report of who entered the rooms of a stay, for the screen and for print. */
export function EnteredPage({ stayId }: { stayId: number }) {
  const entered = useQuery(trpc.unlocks.whoEntered.queryOptions({ stayId }));
  if (entered.error && !entered.data) {
    const missing = missingSubject("stay", "/doors", t("nav.doorRecords"));
    return <ErrorState error={entered.error} onRetry={() => void entered.refetch()} missing={missing} />;
  }
  return entered.data ? <Loaded entered={entered.data} /> : <PageSkeleton />;
}

function Loaded({ entered }: { entered: WhoEntered }) {
  const [isPrinting, setIsPrinting] = useState(false);
  usePrinting(
    isPrinting,
    useCallback(() => setIsPrinting(false), []),
  );
  return (
    <>
      <PageHeader
        title={t("entered.title")}
        description={<bdi>{entered.guestName}</bdi>}
        actions={
          <ActionButton needsServer={false} disabled={entered.rooms.length === 0} onClick={() => setIsPrinting(true)}>
            <Printer aria-hidden />
            {t("entered.print")}
          </ActionButton>
        }
      />
      {entered.rooms.length === 0 && <EmptyState drawing={ClosedDoor} title={t("entered.notYet")} />}
      <div className="grid gap-5">
        {entered.rooms.map((room) => (
          <Card key={`${room.roomId} ${room.from}`}>
            <RoomHead room={room} />
            <RoomEntries room={room} />
          </Card>
        ))}
        {entered.doors.map((door) => (
          <Card key={door.doorId}>
            <CardHeading title={<bdi>{door.doorName}</bdi>} description={doorText(door)} />
            <EntryTable entries={door.entries} label={door.doorName} />
          </Card>
        ))}
        {entered.moreAtDoors && <p className="text-sm text-muted-foreground">{t("entered.more")}</p>}
      </div>
      {isPrinting && <EnteredSheet entered={entered} />}
    </>
  );
}

function RoomHead({ room }: { room: WhoEntered["rooms"][number] }) {
  const { timeZone } = useHotel();
  return (
    <CardHeading
      title={t("board.roomNamed", { name: room.roomName })}
      description={[roomPeriod(room, timeZone), refusedText(room)].filter(Boolean).join(" · ")}
    />
  );
}

function RoomEntries({ room }: { room: WhoEntered["rooms"][number] }) {
  if (room.entries.length === 0) {
    return <p className="px-5 pb-5 text-muted-foreground">{t(room.hasLock ? "entered.none" : "entered.noLock")}</p>;
  }
  return (
    <>
      <EntryTable entries={room.entries} label={t("board.roomNamed", { name: room.roomName })} />
      {room.more && <p className="px-5 py-3 text-sm text-muted-foreground">{t("entered.more")}</p>}
    </>
  );
}

function EnteredSheet({ entered }: { entered: WhoEntered }) {
  const { name, timeZone } = useHotel();
  return (
    <PrintSheet>
      <header className="mb-6">
        <p className="text-sm">{name}</p>
        <h1 className="text-xl font-semibold">{t("entered.title")}</h1>
        <p>
          <bdi>{entered.guestName}</bdi>
        </p>
        <p className="text-sm">{t("entered.text")}</p>
      </header>
      {entered.rooms.map((room) => (
        <section key={`${room.roomId} ${room.from}`} className="mb-6">
          <h2 className="font-semibold">{t("board.roomNamed", { name: room.roomName })}</h2>
          <p className="mb-2 text-sm">{[roomPeriod(room, timeZone), refusedText(room)].filter(Boolean).join(" · ")}</p>
          <RoomEntries room={room} />
        </section>
      ))}
      {entered.doors.map((door) => (
        <section key={door.doorId} className="mb-6">
          <h2 className="font-semibold">{door.doorName}</h2>
          <p className="mb-2 text-sm">{doorText(door)}</p>
          <EntryTable entries={door.entries} label={door.doorName} />
        </section>
      ))}
      {entered.moreAtDoors && <p className="text-sm">{t("entered.more")}</p>}
    </PrintSheet>
  );
}
