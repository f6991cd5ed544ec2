import type { NightAudit, NightFigures, NightOpening, NightStay } from "@innkey/shared/schemas/overview/night-audit";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { cn } from "@/lib/cn.ts";
import { formatMoney, formatNumber, formatShort } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import { useHotel } from "@/lib/session.ts";
import { CardHeading } from "@/ui/card-parts.tsx";
import { Card } from "@/ui/primitives/card.tsx";

/** Key figures of the day. Figures that need attention are coloured unless they are zero. */
export function NightFiguresCard({ figures }: { figures: NightFigures }) {
  const { currency } = useHotel();
  const { arrivals, departures, inHouse, unpaid, revenueMinor, channels, doors } = figures;
  const money = (minor: number): string => formatMoney(minor, currency);
  const usedChannels = channels.filter(({ takenMinor, returnedMinor }) => takenMinor > 0 || returnedMinor > 0);
  return (
    <Card className="mb-6 overflow-hidden print:shadow-none">
      <div className="grid gap-px bg-border sm:grid-cols-2 lg:grid-cols-3 print:grid-cols-3">
        <Block title={t("nightAudit.arrivals")}>
          <Figure label={t("nightAudit.expected")} value={formatNumber(arrivals.expected)} />
          <Figure label={t("nightAudit.arrived")} value={formatNumber(arrivals.arrived)} />
          <Figure
            label={t("nightAudit.notCome")}
            value={formatNumber(arrivals.notCome)}
            needsAttention={arrivals.notCome > 0}
          />
        </Block>
        <Block title={t("nightAudit.departures")}>
          <Figure label={t("nightAudit.expected")} value={formatNumber(departures.expected)} />
          <Figure label={t("nightAudit.left")} value={formatNumber(departures.left)} />
          <Figure
            label={t("nightAudit.overstaying")}
            value={formatNumber(departures.overstaying)}
            needsAttention={departures.overstaying > 0}
          />
        </Block>
        <Block title={t("nightAudit.inHouse")}>
          <Figure label={t("nightAudit.stays")} value={formatNumber(inHouse.stays)} />
          <Figure label={t("nightAudit.guests")} value={formatNumber(inHouse.guests)} />
        </Block>
        <Block title={t("nightAudit.money")}>
          <Figure label={t("nightAudit.revenue")} value={money(revenueMinor)} />
          {usedChannels.map(({ channel, takenMinor, returnedMinor }) => (
            <Figure
              key={channel}
              label={t(`stay.channel.${channel}`)}
              value={money(takenMinor - returnedMinor)}
              parts={
                returnedMinor > 0 && [
                  t("folio.received", { amount: money(takenMinor) }),
                  t("folio.returned", { amount: money(returnedMinor) }),
                ]
              }
            />
          ))}
        </Block>
        <Block title={t("nightAudit.unpaid")}>
          <Figure label={t("nightAudit.stays")} value={formatNumber(unpaid.stays)} needsAttention={unpaid.stays > 0} />
          <Figure label={t("nightAudit.owed")} value={money(unpaid.owedMinor)} />
        </Block>
        <Block title={t("nightAudit.doors")}>
          <Figure
            label={t("nightAudit.neverOpened")}
            value={formatNumber(doors.neverOpened)}
            needsAttention={doors.neverOpened > 0}
          />
          <Figure
            label={t("nightAudit.afterCheckOut")}
            value={formatNumber(doors.afterCheckOut)}
            needsAttention={doors.afterCheckOut > 0}
          />
          <Figure
            label={t("nightAudit.vacantOpened")}
            value={formatNumber(doors.vacantOpened)}
            needsAttention={doors.vacantOpened > 0}
          />
        </Block>
      </div>
    </Card>
  );
}

function Block({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="bg-card px-5 py-4">
      <h2 className="mb-2 font-semibold">{title}</h2>
      <dl className="grid gap-1.5">{children}</dl>
    </section>
  );
}

type FigureProps = { label: string; value: string; parts?: string[] | false; needsAttention?: boolean };

/** A figure and, below it, the parts that make it up. */
function Figure({ label, value, parts = false, needsAttention = false }: FigureProps) {
  return (
    <div className="flex items-baseline justify-between gap-4">
      <dt className="min-w-0 text-muted-foreground">{label}</dt>
      <dd className={cn("text-end font-medium tabular-nums", needsAttention && "text-expired")}>
        {value}
        {parts && <span className="block text-sm font-normal text-muted-foreground">{parts.join(" · ")}</span>}
      </dd>
    </div>
  );
}

/** Lists the guests and doors behind the figures. Every row links to its stay or to its door's records. */
export function NightLists({ audit }: { audit: NightAudit }) {
  const { currency } = useHotel();
  return (
    <div className="mb-6 grid grid-cols-1 items-start gap-4 lg:grid-cols-2 lg:gap-5 print:grid-cols-2">
      <List title={t("nightAudit.notCome")} count={audit.notCome.length}>
        {audit.notCome.map((stay) => (
          <StayRow key={stay.stayId} stay={stay} at={stay.startsAt} />
        ))}
      </List>
      <List title={t("nightAudit.overstaying")} count={audit.overstaying.length}>
        {audit.overstaying.map((stay) => (
          <StayRow key={stay.stayId} stay={stay} at={stay.endsAt} />
        ))}
      </List>
      <List title={t("nightAudit.unpaid")} count={audit.unpaid.length}>
        {audit.unpaid.map((stay) => (
          <StayRow key={stay.stayId} stay={stay} at={stay.endsAt} figure={formatMoney(stay.owedMinor, currency)} />
        ))}
      </List>
      <List title={t("nightAudit.neverOpened")} count={audit.neverOpened.length}>
        {audit.neverOpened.map((stay) => (
          <StayRow key={stay.stayId} stay={stay} at={stay.startsAt} />
        ))}
      </List>
      <List
        title={t("nightAudit.afterCheckOut")}
        count={audit.afterCheckOut.length}
        total={audit.closed ? undefined : audit.figures.doors.afterCheckOut}
      >
        {audit.afterCheckOut.map((opening) => (
          <OpeningRow key={opening.recordId} opening={opening} />
        ))}
      </List>
      <List
        title={t("nightAudit.vacantOpened")}
        count={audit.vacantOpened.length}
        total={audit.closed ? undefined : audit.figures.doors.vacantOpened}
      >
        {audit.vacantOpened.map((opening) => (
          <OpeningRow key={opening.recordId} opening={opening} />
        ))}
      </List>
    </div>
  );
}

type ListProps = { title: string; count: number; total?: number | undefined; children: ReactNode };

function List({ title, count, total = count, children }: ListProps) {
  return (
    <Card className="print:shadow-none">
      <CardHeading
        title={title}
        description={
          count === 0
            ? t("nightAudit.none")
            : total > count
              ? t("nightAudit.shownOf", { shown: count, total })
              : undefined
        }
      />
      {count > 0 && (
        <ul className="scroll-quiet max-h-96 divide-y overflow-y-auto border-t print:max-h-none">{children}</ul>
      )}
    </Card>
  );
}

function StayRow({ stay, at, figure }: { stay: NightStay; at: string; figure?: string }) {
  const { timeZone } = useHotel();
  return (
    <li className="flex items-baseline gap-3 px-5 py-2.5">
      <bdi className="w-16 shrink-0 truncate figures">{stay.roomName}</bdi>
      <span dir="auto" className="name-run min-w-0 flex-1 wrap-anywhere sm:truncate">
        {stay.stayGuestId === null ? (
          stay.guestName || "–"
        ) : (
          <GuestLink stayGuestId={stay.stayGuestId} name={stay.guestName} />
        )}
      </span>
      <span className="shrink-0 text-sm text-muted-foreground tabular-nums">{figure ?? formatShort(at, timeZone)}</span>
    </li>
  );
}

function OpeningRow({ opening }: { opening: NightOpening }) {
  const { timeZone } = useHotel();
  const { stayGuestId, guestName, who, style, roomId, roomName, at } = opening;
  return (
    <li className="flex items-baseline gap-3 px-5 py-2.5">
      <Link
        to="/doors"
        search={{ room: roomId }}
        aria-label={t("nightAudit.records", { room: roomName })}
        className="w-16 shrink-0 truncate figures text-brass-ink hover:underline"
      >
        <bdi>{roomName}</bdi>
      </Link>
      <span className="min-w-0 flex-1 truncate">
        {t(`room.style.${style}`)}
        {stayGuestId !== null ? (
          <>
            {" · "}
            <GuestLink stayGuestId={stayGuestId} name={guestName ?? ""} />
          </>
        ) : (
          who && ` · ${who}`
        )}
      </span>
      <span className="shrink-0 text-sm text-muted-foreground tabular-nums">{formatShort(at, timeZone)}</span>
    </li>
  );
}

function GuestLink({ stayGuestId, name }: { stayGuestId: number; name: string }) {
  return (
    <Link to="/room/thetouristsDetails" search={{ id: stayGuestId }} className="text-brass-ink hover:underline">
      <bdi>{name || "–"}</bdi>
    </Link>
  );
}
