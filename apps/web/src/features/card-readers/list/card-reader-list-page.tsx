import { type CardReaderRow, cardReaderInput } from "@innkey/shared/schemas/access/card-readers";
import { keepPreviousData, useMutation, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Activity, Link2, Nfc, Pencil, Plus, Trash2 } from "lucide-react";
import { useMemo, useState } from "react";
import { findReader, useReaderSettings } from "@/entities/card-reader/card-reader.ts";
import { reportConnectedReader, useConnectedReader } from "@/entities/card-reader/card-reader-presence.ts";
import { OnlineChip, TYPE_PORTS } from "@/entities/card-reader/card-reader-status.tsx";
import { ExportedTable } from "@/entities/export/exported-table.tsx";
import { listColumns } from "@/entities/export/list-columns.ts";
import { formatDate, formatRelative } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import { useCan, useHotel } from "@/lib/session.ts";
import { toast } from "@/lib/toast.ts";
import { trpc } from "@/lib/trpc.ts";
import { ActionButton } from "@/ui/action/action-button.tsx";
import { Callout } from "@/ui/callout.tsx";
import { NoPermission } from "@/ui/can.tsx";
import { Disclosure } from "@/ui/disclosure.tsx";
import { CardOverReader } from "@/ui/drawings.tsx";
import { Segmented } from "@/ui/form/choice-input.tsx";
import { Field } from "@/ui/form/field.tsx";
import { FormDialog, useGuardedClose, useZodForm } from "@/ui/form/form.tsx";
import { RadioInput } from "@/ui/form/radio-input.tsx";
import { PageHeader } from "@/ui/page-header.tsx";
import { Badge } from "@/ui/primitives/badge.tsx";
import { Input } from "@/ui/primitives/input.tsx";
import { Textarea } from "@/ui/primitives/textarea.tsx";
import { SearchInput } from "@/ui/search-input.tsx";
import { useListState } from "@/ui/table/list-search.ts";
import type { RowAction } from "@/ui/table/table-model.ts";
import { CARD_READER_FILTERS, type CardReaderSearch } from "../card-reader-search.ts";
import { HolderNames, useCardReaderActs } from "./card-reader-holder.tsx";

const TYPES = ["1", "2", "3"] as const;

/** Reader in the list, or a new one with the number it reported, if any. */
type EditedCardReader = CardReaderRow | { deviceNo: string; type: 1 | 2 | 3 };

type CardReaderDialogProps = { cardReader: EditedCardReader; onClose: () => void };

/** Registers a card reader, or edits the given one. */
function CardReaderDialog({ cardReader, onClose }: CardReaderDialogProps) {
  const { deviceNo, type } = cardReader;
  const existing = "id" in cardReader ? cardReader : null;
  const form = useZodForm(cardReaderInput, {
    defaultValues: { id: existing?.id, deviceNo, type, name: existing?.name ?? "", note: existing?.note ?? "" },
  });
  const close = useGuardedClose(form, onClose);
  const save = useMutation(trpc.cardReaders.save.mutationOptions({ meta: { shownInForm: true } }));

  return (
    <FormDialog
      form={form}
      title={existing ? t("cardReader.edit") : t("cardReader.add")}
      submitLabel={existing ? t("common.save") : t("cardReader.add")}
      startAt={deviceNo ? "name" : "deviceNo"}
      onClose={close}
      onSubmit={async (values) => {
        await save.mutateAsync(values);
        await reportConnectedReader();
        toast.success(t("cardReader.saved", { name: values.name }));
        onClose();
      }}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <Field
          form={form}
          name="deviceNo"
          label={t("cardReader.deviceNo")}
          hint={t("cardReader.deviceNoHint")}
          required
        >
          {(control) => (
            <Input {...control} dir="ltr" autoComplete="off" spellCheck={false} className="font-mono rtl:text-end" />
          )}
        </Field>
        <Field form={form} name="name" label={t("cardReader.name")} hint={t("cardReader.nameHint")} required>
          {(control) => <Input {...control} autoComplete="off" />}
        </Field>
      </div>
      <Disclosure label={t("reader.advanced")}>
        <Field form={form} name="type" label={t("cardReader.type")} layout="group" required>
          {({ value, onChange, ...control }) => (
            <RadioInput
              {...control}
              value={TYPES.find((number) => Number(number) === value)}
              onChange={(number) => onChange(Number(number))}
              className="grid gap-2"
              options={TYPES.map((number) => ({
                value: number,
                label: t("reader.type", { number }),
                hint: t(number === "2" ? "reader.typeTextUntested" : "reader.typeText", { port: TYPE_PORTS[number] }),
              }))}
            />
          )}
        </Field>
      </Disclosure>
      <Field form={form} name="note" label={t("cardReader.note")}>
        {(control) => <Textarea {...control} value={control.value ?? ""} />}
      </Field>
    </FormDialog>
  );
}

/** `ownDeviceNo` is the number of the card reader at this desk. */
function useCardReaderColumns(ownDeviceNo: string | undefined) {
  const { timeZone } = useHotel();
  return useMemo(
    () =>
      listColumns<"cardReaders", CardReaderRow>("cardReaders", {
        name: {
          fixed: true,
          card: "title",
          cell: (row) => (
            <span className="flex min-w-0 items-center gap-2">
              <span dir="auto" className="name-run truncate font-medium">
                {row.name}
              </span>
              {row.deviceNo === ownDeviceNo && <Badge>{t("cardReader.here")}</Badge>}
            </span>
          ),
        },
        state: { card: "status", cell: (row) => <OnlineChip online={row.online} /> },
        deviceNo: { cell: (row) => <bdi className="ltr-run font-mono">{row.deviceNo}</bdi> },
        type: { cell: (row) => t("reader.type", { number: row.type }) },
        holder: { cell: (row) => <HolderNames holders={row.holders} /> },
        lastSeen: {
          className: "whitespace-nowrap",
          cell: (row) => (row.lastSeenAt ? formatRelative(row.lastSeenAt) : t("cardReader.never")),
        },
        note: { hidden: true, className: "max-w-64 truncate", cell: (row) => row.note || "–" },
        registered: {
          hidden: true,
          className: "whitespace-nowrap",
          cell: (row) => formatDate(row.createdAt, timeZone),
        },
      }),
    [timeZone, ownDeviceNo],
  );
}

type ConnectedReaderCalloutProps = { onAdd: ((reader: { deviceNo: string; type: 1 | 2 | 3 }) => void) | undefined };

/** Explains how to find the card reader at this desk, or that it is not in the list yet. */
function ConnectedReaderCallout({ onAdd }: ConnectedReaderCalloutProps) {
  const { source, connection } = useReaderSettings();
  const reader = useConnectedReader();
  if (source !== "service" || reader?.registered) return null;
  if (!reader) {
    if (connection === "connected") return null;
    return (
      <Callout
        tone="info"
        className="mb-4"
        title={t("cardReader.find")}
        actions={
          <ActionButton
            variant="outline"
            size="sm"
            pending={connection === "trying"}
            needsServer={false}
            onClick={() => void findReader()}
          >
            <Nfc aria-hidden />
            {t("reader.find")}
          </ActionButton>
        }
      >
        {connection === "broken" ? t("cardReader.findFailed") : t("cardReader.findText")}
      </Callout>
    );
  }
  return (
    <Callout
      tone="info"
      className="mb-4"
      title={t("cardReader.unknownHere")}
      actions={
        onAdd && (
          <ActionButton variant="outline" size="sm" onClick={() => onAdd(reader)}>
            {t("cardReader.addThis")}
          </ActionButton>
        )
      }
    >
      {t("cardReader.itsNumber")} <bdi className="ltr-run font-mono font-medium">{reader.deviceNo}</bdi>
    </Callout>
  );
}

/** Refresh interval, because a reader that is still there causes no event. */
const REFRESH_MILLISECONDS = 30_000;
const ALL = "all";
const NEW = { deviceNo: "", type: 1 } as const;

/** Lists the card readers of the hotel's desks, with their status and holders. */
export function CardReaderListPage({ search }: { search: CardReaderSearch }) {
  const navigate = useNavigate();
  const can = useCan();
  const manage = can("cardReaders.manage");
  const list = useListState();
  const columns = useCardReaderColumns(useConnectedReader()?.deviceNo);
  const acts = useCardReaderActs();
  const [edited, setEdited] = useState<EditedCardReader | null>(null);
  const { show } = search;
  const input = {
    keyword: list.query,
    bound: show && show === "bound",
    page: list.page,
    pageSize: list.pageSize,
  };
  const cardReaders = useQuery(
    trpc.cardReaders.list.queryOptions(input, {
      placeholderData: keepPreviousData,
      refetchInterval: REFRESH_MILLISECONDS,
      enabled: can("cardReaders.view"),
    }),
  );
  if (!can("cardReaders.view")) return <NoPermission />;

  const bind = ({ id }: CardReaderRow): void =>
    void navigate({ to: "/bindCardReaderToUser/bindCardReaderToUser", search: { id } });

  function actions(): RowAction<CardReaderRow>[] {
    const check = { label: t("cardReader.check"), icon: Activity, onSelect: (row: CardReaderRow) => acts.check(row) };
    if (!manage) return [check];
    return [
      { label: t("cardReader.bind"), icon: Link2, onSelect: bind },
      check,
      { label: t("common.edit"), icon: Pencil, onSelect: setEdited },
      { label: t("cardReader.remove"), icon: Trash2, danger: true, onSelect: acts.askToRemove },
    ];
  }

  const add = manage && (
    <ActionButton onClick={() => setEdited(NEW)}>
      <Plus aria-hidden />
      {t("cardReader.add")}
    </ActionButton>
  );
  return (
    <>
      <PageHeader title={t("nav.cardReaders")} description={t("cardReader.text")} actions={add} />
      <ConnectedReaderCallout onAdd={manage ? setEdited : undefined} />
      <ExportedTable
        label={t("nav.cardReaders")}
        columns={columns}
        rows={cardReaders.data?.rows}
        total={cardReaders.data?.total}
        rowId={(row) => String(row.id)}
        {...list.table}
        error={cardReaders.error}
        onRetry={() => void cardReaders.refetch()}
        stale={cardReaders.isPlaceholderData}
        onOpen={manage ? bind : undefined}
        actions={actions}
        exportList={{ list: "cardReaders", filters: input }}
        empty={
          list.query || show
            ? { drawing: CardOverReader, title: t("cardReader.noneFound"), description: t("cardReader.noneFoundText") }
            : {
                drawing: CardOverReader,
                title: t("cardReader.noneYet"),
                description: t("cardReader.noneYetText"),
                action: add,
              }
        }
        toolbar={
          <>
            <SearchInput label={t("cardReader.search")} value={list.query} onChange={list.setQuery} />
            <Segmented
              aria-label={t("cardReader.boundTo")}
              value={show ?? ALL}
              onChange={(next) => list.change({ show: next === ALL ? undefined : next })}
              options={[
                { value: ALL, label: t("guest.all") },
                ...CARD_READER_FILTERS.map((value) => ({ value, label: t(`cardReader.show.${value}`) })),
              ]}
            />
          </>
        }
      />
      {edited && <CardReaderDialog cardReader={edited} onClose={() => setEdited(null)} />}
    </>
  );
}
