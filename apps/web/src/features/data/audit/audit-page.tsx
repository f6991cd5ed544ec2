import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { ChevronDown } from "lucide-react";
import { useId, useMemo, useState } from "react";
import { ExportButton } from "@/entities/export/export-button.tsx";
import { api } from "@/lib/api.ts";
import { cn } from "@/lib/cn.ts";
import { formatTime, formatWeekdayDate, hotelToday } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import { QUICK_RANGES } from "@/lib/search-params.ts";
import { useHotel } from "@/lib/session.ts";
import { daysRange, rangeOf } from "@/lib/time/quick-range.ts";
import { trpc } from "@/lib/trpc.ts";
import { ActionButton } from "@/ui/action/action-button.tsx";
import { EmptyLedger } from "@/ui/drawings.tsx";
import { Combobox } from "@/ui/form/combobox.tsx";
import { PageHeader } from "@/ui/page-header.tsx";
import { EmptyState, ErrorState } from "@/ui/page-state.tsx";
import { PersonAvatar } from "@/ui/person-avatar.tsx";
import { Card } from "@/ui/primitives/card.tsx";
import { Skeleton } from "@/ui/primitives/skeleton.tsx";
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from "@/ui/primitives/table.tsx";
import { DayPeriodSelect } from "@/ui/quick-range-select.tsx";
import { SearchInput } from "@/ui/search-input.tsx";
import { useListState } from "@/ui/table/list-search.ts";
import type { AuditSearch } from "./audit-search.ts";

/** Actions in the audit, by the server's names. An action that is missing here is shown by its name. */
const ACTIONS = [
  "balance.account",
  "breakfast.tick",
  "breakfast.untick",
  "card.air",
  "card.confirm",
  "card.hours",
  "card.id_card",
  "card.lost",
  "card.prepare",
  "card.profile",
  "card.register",
  "card.retry",
  "card.revoke",
  "card.rooms",
  "calendarFeed.make",
  "calendarFeed.revoke",
  "customer.create",
  "customer.freeze",
  "customer.remove",
  "customer.unfreeze",
  "customer.update",
  "demo.seed",
  "zone.create",
  "zone.remove",
  "zone.update",
  "stay.zones",
  "door.create",
  "door.remove",
  "door.update",
  "cardReader.bind",
  "cardReader.create",
  "cardReader.remove",
  "cardReader.unbind",
  "cardReader.update",
  "export.cancel",
  "export.make",
  "export.remove",
  "face.enrol",
  "face.grant",
  "face.grant_note",
  "face.remove",
  "face.rename",
  "face.withdraw",
  "file.store",
  "group.create",
  "group.remove",
  "group.update",
  "guest.add",
  "guest.remove",
  "guest.update",
  "guestLink.askLate",
  "guestLink.declineLate",
  "guestLink.lock",
  "guestLink.make",
  "guestLink.prove",
  "guestLink.revoke",
  "handOver.add",
  "handOver.done",
  "handOver.reopen",
  "hotel.create",
  "hotel.notice",
  "hotel.update",
  "import.preview",
  "import.run",
  "key.create",
  "key.revoke",
  "link.remove",
  "link.save",
  "lock.cancel_opening",
  "lock.connect",
  "lock.notice",
  "lock.open",
  "lock.read_back",
  "lock.remove",
  "lock.replace",
  "lock.resetSequence",
  "lock.retry",
  "lock.save",
  "lock.unmanaged",
  "alert.read",
  "alert.remove",
  "nightAudit.close",
  "operator.create",
  "operator.freeze",
  "operator.permit",
  "operator.profile",
  "operator.remove",
  "operator.resetTwoStep",
  "operator.setPassword",
  "operator.unfreeze",
  "operator.update",
  "folio.breakfast",
  "folio.cancellation",
  "folio.deposit",
  "folio.deposit_kept",
  "folio.deposit_used",
  "folio.exchange",
  "folio.extra",
  "folio.payment",
  "folio.recharge",
  "folio.refund",
  "folio.renewal",
  "folio.room",
  "folio.withdrawal",
  "folio.reversal",
  "folio.withdrawal_undone",
  "passcode.create",
  "passcode.hand_over",
  "passcode.hours",
  "passcode.remove",
  "passcode.reveal",
  "password.change",
  "password.reset",
  "password.sendCode",
  "preCheckIn.deletePictures",
  "preCheckIn.discard",
  "preCheckIn.send",
  "preCheckIn.takeOver",
  "priceTemplate.apply",
  "priceTemplate.create",
  "priceTemplate.remove",
  "priceTemplate.update",
  "privacy.dropRecords",
  "privacy.erase",
  "privacy.export",
  "privacy.retain",
  "receipt.issue",
  "risk.tell_again",
  "room.delete",
  "room.create",
  "room.group",
  "room.lock",
  "room.notice",
  "room.prices",
  "room.status",
  "room.status_undo",
  "room.update",
  "roster.download",
  "roster.make",
  "roster.settings",
  "session.login",
  "session.logout",
  "session.prove",
  "session.refuse",
  "session.revoke",
  "session.setup",
  "session.switchHotel",
  "stay.after_outage",
  "stay.arrive",
  "stay.cancel",
  "stay.change_room",
  "stay.check_in",
  "stay.check_in_undone",
  "stay.check_out",
  "stay.check_out_undone",
  "stay.move",
  "stay.no_show",
  "stay.reinstate",
  "stay.renew",
  "stay.reserve",
  "stay.shorten",
  "stay.update",
  "twoStep.addPasskey",
  "twoStep.app",
  "twoStep.recoveryCodes",
  "twoStep.removePasskey",
  "twoStep.renamePasskey",
  "webhook.create",
  "webhook.give_up",
  "webhook.off",
  "webhook.on",
  "webhook.remove",
  "webhook.resend",
  "webhook.save",
  "webhook.secret",
  "webhook.test",
] as const;

type Action = (typeof ACTIONS)[number];

function isAction(action: string): action is Action {
  return (ACTIONS as readonly string[]).includes(action);
}

/** Returns the text for an action, such as "Checked a guest in" for "stay.check_in". */
function actionLabel(action: string): string {
  return isAction(action) ? t(`audit.action.${action}`) : action;
}

type AuditRow = Awaited<ReturnType<typeof api.audit.list.query>>["rows"][number];

/** What an entry is about: its name and room as they are today, otherwise its number. */
function AuditSubject({ row: { subject, roomName, entity, entityId } }: { row: AuditRow }) {
  if (subject !== null || roomName !== null) {
    const room = roomName !== null && t("board.roomNamed", { name: roomName });
    return <bdi className="text-foreground">{[subject, room].filter((part) => part).join(" · ")}</bdi>;
  }
  if (!entityId || entity === "session") return null;
  return <bdi className="ltr-run text-faint-foreground">#{entityId}</bdi>;
}

/** One audit entry: who did what, when and from where. It expands to show the values before and after. */
function AuditEntry({ row }: { row: AuditRow }) {
  const { timeZone } = useHotel();
  const [isOpen, setIsOpen] = useState(false);
  const panelId = useId();
  const changes = changesOf(row.before, row.after);
  return (
    <li>
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={panelId}
        onClick={() => setIsOpen(!isOpen)}
        className="flex w-full items-center gap-3 px-4 py-2.5 text-start hover:bg-hover focus-visible:-outline-offset-2 sm:px-5"
      >
        <span className="w-16 shrink-0 text-sm text-muted-foreground">{formatTime(row.at, timeZone)}</span>
        <PersonAvatar name={row.actorName || "?"} className="size-7 max-sm:hidden" />
        <span className="min-w-0 flex-1 sm:flex sm:items-baseline sm:gap-2">
          <span dir="auto" className="name-run block truncate font-medium">
            {row.actorName || t(row.door === "guest" ? "audit.guest" : "audit.nobody")}
          </span>
          <span className="block text-muted-foreground sm:truncate">
            {actionLabel(row.action)} <AuditSubject row={row} />
          </span>
        </span>
        <bdi className="ltr-run shrink-0 text-sm text-faint-foreground max-sm:hidden">{row.address}</bdi>
        <ChevronDown
          aria-hidden
          className={cn("size-4 shrink-0 text-muted-foreground transition-transform", isOpen && "rotate-180")}
        />
      </button>
      <div id={panelId} hidden={!isOpen} className="px-4 pt-1 pb-4 sm:ps-[6.75rem] sm:pe-5">
        {changes.length === 0 ? (
          <p className="text-sm text-muted-foreground">{t("audit.noChanges")}</p>
        ) : (
          <div className="scroll-quiet overflow-x-auto rounded-md border">
            <Table spacing="compact" className="text-sm">
              <TableHeader className="bg-sunken/60">
                <TableRow>
                  <TableHead>{t("audit.field")}</TableHead>
                  <TableHead>{t("audit.before")}</TableHead>
                  <TableHead>{t("audit.after")}</TableHead>
                </TableRow>
              </TableHeader>
              <TableBody>
                {changes.map((change) => (
                  <TableRow key={change.field}>
                    <TableHead scope="row" className="align-top">
                      <bdi>{change.field}</bdi>
                    </TableHead>
                    <TableCell className="align-top break-all text-muted-foreground">{change.before ?? "–"}</TableCell>
                    <TableCell className="align-top break-all">{change.after ?? "–"}</TableCell>
                  </TableRow>
                ))}
              </TableBody>
            </Table>
          </div>
        )}
        <p className="mt-2 text-xs text-muted-foreground">
          <bdi className="ltr-run">{[row.action, row.door, row.address, row.seq].filter(Boolean).join(" · ")}</bdi>
        </p>
      </div>
    </li>
  );
}

type Change = { field: string; before: string | null; after: string | null };

type Values = Record<string, unknown>;

function isValues(value: unknown): value is Values {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function formatValue(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Returns the fields that an action set or changed, without the unchanged ones. */
function changesOf(before: unknown, after: unknown): Change[] {
  const was = isValues(before) ? before : {};
  const is = isValues(after) ? after : {};
  const fields = [...new Set([...Object.keys(was), ...Object.keys(is)])];
  return fields
    .map((field) => ({ field, before: formatValue(was[field]), after: formatValue(is[field]) }))
    .filter((change) => change.before !== change.after);
}

/** Groups entries by hotel-local day and keeps their order. */
function groupByDay(rows: readonly AuditRow[], zone: string): AuditRow[][] {
  const days = new Map<string, AuditRow[]>();
  for (const row of rows) {
    const day = hotelToday(zone, new Date(row.at));
    days.set(day, [...(days.get(day) ?? []), row]);
  }
  return [...days.values()];
}

const ACTION_OPTIONS = () => ACTIONS.map((action) => ({ value: action, label: actionLabel(action) }));

export function AuditPage({ search }: { search: AuditSearch }) {
  const { timeZone } = useHotel();
  const list = useListState();
  const actions = useMemo(ACTION_OPTIONS, []);
  const period =
    search.range === "custom" ? daysRange(search.from, search.to, timeZone) : rangeOf(search.range, timeZone);
  const filters = { keyword: list.query, action: search.action, ...period };
  const isFiltered = Boolean(list.query || search.action || search.range);
  const entries = useInfiniteQuery({
    queryKey: [...trpc.audit.list.pathKey(), filters],
    queryFn: ({ pageParam, signal }) => api.audit.list.query({ ...filters, before: pageParam }, { signal }),
    placeholderData: keepPreviousData,
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.nextBefore ?? undefined,
  });
  const rows = entries.data?.pages.flatMap((page) => page.rows);

  return (
    <>
      <PageHeader
        title={t("nav.audit")}
        description={t("audit.text")}
        actions={rows && <ExportButton list="audit" filters={{}} page={1} pageSize={Math.max(1, rows.length)} />}
      />
      <div className="mb-4 flex flex-wrap items-center gap-2 print:hidden">
        <SearchInput label={t("audit.search")} value={list.query} onChange={list.setQuery} />
        <div className="w-full sm:w-64">
          <Combobox
            aria-label={t("audit.act")}
            placeholder={t("audit.anyAct")}
            options={actions}
            value={search.action}
            onChange={(action) => list.change({ action: action ?? undefined })}
            clearable
          />
        </div>
        <DayPeriodSelect
          label={t("guest.rangeLabel")}
          ranges={QUICK_RANGES}
          value={search}
          onChange={(next) => list.change(next)}
        />
      </div>
      {entries.error && !rows ? (
        <Card>
          <ErrorState error={entries.error} onRetry={() => void entries.refetch()} />
        </Card>
      ) : !rows ? (
        <Card className="grid gap-3 p-5" aria-busy>
          {[0, 1, 2, 3, 4, 5].map((line) => (
            <Skeleton key={line} className="h-9" />
          ))}
        </Card>
      ) : rows.length === 0 ? (
        <Card>
          <EmptyState drawing={EmptyLedger} title={t(isFiltered ? "common.nothingFound" : "audit.none")} />
        </Card>
      ) : (
        <div className="grid grid-cols-1 gap-6">
          {groupByDay(rows, timeZone).map((day) => (
            <section key={day[0]?.seq} aria-label={formatWeekdayDate(day[0]?.at, timeZone)}>
              <h2 className="mb-2 text-sm font-medium text-muted-foreground">
                {formatWeekdayDate(day[0]?.at, timeZone)}
              </h2>
              <Card>
                <ul className="divide-y">
                  {day.map((row) => (
                    <AuditEntry key={row.seq} row={row} />
                  ))}
                </ul>
              </Card>
            </section>
          ))}
          {entries.hasNextPage && (
            <ActionButton
              variant="outline"
              className="justify-self-center"
              pending={entries.isFetchingNextPage}
              onClick={() => void entries.fetchNextPage()}
            >
              {t("common.loadMore")}
            </ActionButton>
          )}
        </div>
      )}
    </>
  );
}
