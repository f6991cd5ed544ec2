import type { CustomerDetail, CustomerStayRow } from "@innkey/shared/schemas/stays/customers";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { CircleCheck, CreditCard } from "lucide-react";
import { useMemo, useState } from "react";
import { OnlineChip } from "@/entities/card-reader/card-reader-status.tsx";
import { CardStateChip } from "@/entities/credential/credential-state.tsx";
import { GuestStateChip } from "@/entities/guest/guest-state-chip.tsx";
import { useStayActions } from "@/entities/stay/stay-actions.tsx";
import { cn } from "@/lib/cn.ts";
import { BY_TIME_MILLISECONDS } from "@/lib/events/topics.ts";
import { formatMoney, formatShort } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import { usePageName } from "@/lib/page-title.ts";
import { useCan, useHotel } from "@/lib/session.ts";
import { trpc } from "@/lib/trpc.ts";
import { CardHeading } from "@/ui/card-parts.tsx";
import { EmptyLedger } from "@/ui/drawings.tsx";
import { missingSubject } from "@/ui/missing-subject.tsx";
import { ErrorState, PageSkeleton } from "@/ui/page-state.tsx";
import { Card, CardContent } from "@/ui/primitives/card.tsx";
import { DataTable } from "@/ui/table/data-table.tsx";
import { useListState } from "@/ui/table/list-search.ts";
import type { DataColumn } from "@/ui/table/table-model.ts";
import { CustomerDialog } from "./customer-dialog.tsx";
import { CustomerFacts } from "./customer-facts.tsx";
import { CustomerHeader } from "./customer-header.tsx";

/** Lists the customer's bookings, latest arrival first. */
function CustomerStays({ customerId }: { customerId: number }) {
  const actions = useStayActions();
  const list = useListState();
  const columns = useStayColumns();
  const input = { customerId, page: list.page, pageSize: list.pageSize };
  const stays = useQuery(trpc.customers.stays.queryOptions(input, { placeholderData: keepPreviousData }));
  return (
    <DataTable
      label={t("customer.stayList")}
      columns={columns}
      rows={stays.data?.rows}
      total={stays.data?.total}
      rowId={(row) => String(row.stayId)}
      {...list.table}
      error={stays.error}
      onRetry={() => void stays.refetch()}
      stale={stays.isPlaceholderData}
      onOpen={(row) => actions.openStay(row.stayGuestId)}
      empty={{ drawing: EmptyLedger, title: t("customer.noStays"), description: t("customer.noStaysText") }}
      toolbar={<h2 className="text-lg font-semibold">{t("customer.stayList")}</h2>}
    />
  );
}

function useStayColumns(): DataColumn<CustomerStayRow>[] {
  const { timeZone, currency } = useHotel();
  return useMemo(
    (): DataColumn<CustomerStayRow>[] => [
      {
        id: "guest",
        header: t("guest.detail"),
        fixed: true,
        card: "title",
        cell: (row) => (
          <span dir="auto" className="name-run font-medium">
            {row.guestName}
          </span>
        ),
      },
      {
        id: "state",
        header: t("guest.stateLabel"),
        card: "status",
        cell: (row) => <GuestStateChip state={row.state} size="sm" />,
      },
      { id: "room", header: t("guest.room"), cell: (row) => <bdi className="figures">{row.roomName}</bdi> },
      {
        id: "arrival",
        header: t("guest.arrival"),
        className: "whitespace-nowrap",
        cell: (row) => formatShort(row.startsAt, timeZone),
      },
      {
        id: "departure",
        header: t("guest.departure"),
        className: "whitespace-nowrap",
        cell: (row) => formatShort(row.endsAt, timeZone),
      },
      {
        id: "owed",
        header: t("customer.owed"),
        align: "end",
        cell: (row) =>
          row.owedMinor === 0 ? (
            <span className="text-faint-foreground">–</span>
          ) : (
            <span className={row.owedMinor > 0 ? "font-medium text-expired" : undefined}>
              {formatMoney(row.owedMinor, currency)}
            </span>
          ),
      },
    ],
    [timeZone, currency],
  );
}

type Cards = NonNullable<CustomerDetail["cards"]>;

/** Lists active cards of the customer's stays, and those that may still open doors. */
function CustomerCards({ cards }: { cards: Cards }) {
  return (
    <Card>
      <CardHeading title={t("customer.cards")} />
      {cards.length === 0 ? (
        <CardContent className="text-muted-foreground">{t("customer.noCards")}</CardContent>
      ) : (
        <ul className="divide-y border-t">
          {cards.map((card) => (
            <CardLine key={card.id} card={card} />
          ))}
        </ul>
      )}
    </Card>
  );
}

function CardLine({ card }: { card: Cards[number] }) {
  const { timeZone } = useHotel();
  const stays = useStayActions();
  const { stayGuestId, guestName, roomName, validTo } = card;
  const facts = [roomName, validTo && t("card.until", { when: formatShort(validTo, timeZone) })];
  return (
    <li className="flex items-start gap-3 px-5 py-3">
      <CreditCard aria-hidden className="mt-0.5 size-4 shrink-0 text-muted-foreground" />
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <bdi className="font-mono font-medium" dir="ltr">
            {card.uid}
          </bdi>
          <CardStateChip card={card} />
        </p>
        <p className="text-sm text-muted-foreground">
          {stayGuestId !== null && (
            <>
              <button
                type="button"
                className="underline decoration-border underline-offset-4 hover:decoration-current"
                onClick={() => stays.openStay(stayGuestId)}
              >
                <bdi>{guestName}</bdi>
              </button>
              {" · "}
            </>
          )}
          {facts.filter(Boolean).join(" · ")}
        </p>
      </div>
    </li>
  );
}

/** One customer: their data, bookings, balance and keys. */
export function CustomerScreen({ customerId }: { customerId: number }) {
  const customer = useQuery(
    trpc.customers.detail.queryOptions({ id: customerId }, { refetchInterval: BY_TIME_MILLISECONDS }),
  );
  usePageName(customer.data?.name);
  if (customer.error && !customer.data) {
    const missing = missingSubject("customer", "/customer/customer", t("nav.customers"));
    return <ErrorState error={customer.error} onRetry={() => void customer.refetch()} missing={missing} />;
  }
  if (!customer.data) return <PageSkeleton />;
  return <Loaded customer={customer.data} />;
}

function Loaded({ customer }: { customer: CustomerDetail }) {
  const can = useCan();
  const [isEditing, setIsEditing] = useState(false);
  return (
    <>
      <CustomerHeader customer={customer} onEdit={() => setIsEditing(true)} />
      <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-[minmax(0,1fr)_22rem] lg:gap-5">
        <div className="grid min-w-0 grid-cols-1 gap-4 lg:gap-5">
          <CustomerFacts customer={customer} />
          {can("stays.view") && <CustomerStays customerId={customer.id} />}
        </div>
        <div className="grid min-w-0 grid-cols-1 gap-4 lg:gap-5">
          {customer.balanceMinor !== null && <CustomerBalance minor={customer.balanceMinor} />}
          {customer.cards && <CustomerCards cards={customer.cards} />}
          {customer.readers && <CustomerReaders readers={customer.readers} />}
        </div>
      </div>
      {isEditing && <CustomerDialog customer={customer} onClose={() => setIsEditing(false)} />}
    </>
  );
}

/** Balance of all the customer's stays; positive if the customer owes money. */
function CustomerBalance({ minor }: { minor: number }) {
  const { currency } = useHotel();
  const label = minor > 0 ? t("customer.owe") : minor < 0 ? t("customer.credit") : t("customer.settled");
  return (
    <Card>
      <CardHeading title={t("customer.balance")} />
      <CardContent>
        <p
          className={cn(
            "text-sm text-muted-foreground",
            minor === 0 && "flex items-center gap-1.5 font-medium text-vacant",
          )}
        >
          {minor === 0 && <CircleCheck aria-hidden className="size-4" />}
          {label}
        </p>
        <p className={cn("figures text-2xl", minor > 0 && "text-expired")}>{formatMoney(Math.abs(minor), currency)}</p>
        <p className="mt-1 text-sm text-muted-foreground">{t("customer.balanceText")}</p>
      </CardContent>
    </Card>
  );
}

/** Lists the card readers assigned to the customer. */
function CustomerReaders({ readers }: { readers: NonNullable<CustomerDetail["readers"]> }) {
  return (
    <Card>
      <CardHeading title={t("nav.cardReaders")} />
      {readers.length === 0 ? (
        <CardContent className="text-muted-foreground">{t("customer.noReaders")}</CardContent>
      ) : (
        <ul className="divide-y border-t">
          {readers.map(({ id, name, deviceNo, online }) => (
            <li key={id} className="flex items-center justify-between gap-3 px-5 py-3">
              <span className="min-w-0">
                <Link
                  to="/bindCardReaderToUser/bindCardReaderToUser"
                  search={{ id }}
                  className="block truncate font-medium hover:underline"
                >
                  <bdi>{name}</bdi>
                </Link>
                <bdi className="ltr-run block truncate font-mono text-sm text-muted-foreground">{deviceNo}</bdi>
              </span>
              <OnlineChip online={online} />
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
