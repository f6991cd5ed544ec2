import { movedMinor } from "@innkey/shared/folio";
import type { QuoteLine } from "@innkey/shared/price-rules";
import type { BoardRoom } from "@innkey/shared/schemas/property/rooms";
import { changeRoomInput, type changeRoomQuote, type StayDetail } from "@innkey/shared/schemas/stays/stays";
import { useMutation, useQuery } from "@tanstack/react-query";
import { RadioGroup } from "radix-ui";
import { type RefCallback, useMemo, useState } from "react";
import { z } from "zod";
import { boardQuery } from "@/entities/room/board-query.ts";
import { useEndWithKeys } from "@/entities/stay/end-with-keys.ts";
import {
  askAndRepeat,
  askDirty,
  askNewPrice,
  guestNameOf,
  StayDialog,
  StayFacts,
} from "@/entities/stay/stay-dialog.tsx";
import {
  AgreedTotal,
  actLabel,
  ChannelChoice,
  MoneyRow,
  moneyMovement,
  QuoteLines,
  RemainingCreditNote,
} from "@/entities/stay/stay-money.tsx";
import { formatMoney } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import { failureOf, failureText } from "@/lib/rest.ts";
import { useCan, useHotel } from "@/lib/session.ts";
import { toast } from "@/lib/toast.ts";
import { trpc } from "@/lib/trpc.ts";
import { CheckboxInput } from "@/ui/form/choice-input.tsx";
import { Field } from "@/ui/form/field.tsx";
import { FormDialogContent, useZodForm } from "@/ui/form/form.tsx";
import { EmptyState } from "@/ui/page-state.tsx";
import { Skeleton } from "@/ui/primitives/skeleton.tsx";
import { SearchInput } from "@/ui/search-input.tsx";
import { STATUS_ICONS } from "@/ui/status-chip.tsx";

type RoomPickerProps = {
  value: number | null;
  onChange: (roomId: number) => void;
  /** The guest's present room, which can't be selected. */
  exceptRoomId: number;
  /** Time until which the rooms must be free. */
  until: string;
  ref?: RefCallback<unknown>;
  "aria-label": string;
  "aria-describedby"?: string;
};

const collator = new Intl.Collator(undefined, { numeric: true });

function isAvailable(room: BoardRoom, until: string): boolean {
  const empty = room.current === null && (room.status === "vacant" || room.status === "dirty");
  return empty && (room.next === null || room.next.startsAt >= until);
}

/** Lists the rooms the guest can move to, by group. Clean rooms come first. */
function RoomPicker({ value, onChange, exceptRoomId, until, ref, ...labels }: RoomPickerProps) {
  const { currency } = useHotel();
  const board = useQuery(boardQuery);
  const [query, setQuery] = useState("");

  const groups = useMemo(() => {
    const text = query.toLocaleLowerCase();
    const rooms = (board.data?.rooms ?? [])
      .filter((room) => room.id !== exceptRoomId && isAvailable(room, until))
      .filter((room) => `${room.name} ${room.remarkName}`.toLocaleLowerCase().includes(text))
      .sort((a, b) => Number(a.status === "dirty") - Number(b.status === "dirty") || collator.compare(a.name, b.name));
    const groups = (board.data?.groups ?? []).map(({ id, name }) => ({ id: id as number | null, name }));
    return [...groups, { id: null, name: "" }]
      .map((group) => ({ ...group, rooms: rooms.filter((room) => room.groupId === group.id) }))
      .filter((group) => group.rooms.length > 0);
  }, [board.data, query, exceptRoomId, until]);

  if (!board.data) return <Skeleton className="h-40" />;
  return (
    <div>
      <SearchInput
        value={query}
        onChange={setQuery}
        delayMilliseconds={0}
        label={t("stay.findRoom")}
        className="mb-3 sm:w-full"
      />
      <RadioGroup.Root
        {...labels}
        ref={ref}
        value={value === null ? "" : String(value)}
        onValueChange={(next) => onChange(Number(next))}
        className="scroll-quiet grid max-h-56 gap-4 overflow-y-auto rounded-md border p-3"
      >
        {groups.length === 0 && <EmptyState title={t("stay.noFreeRoom")} className="py-6" />}
        {groups.map((group) => (
          <fieldset key={group.id ?? "none"} aria-label={group.name || t("stay.noGroup")}>
            <p className="mb-1.5 text-xs font-medium text-muted-foreground">{group.name || t("stay.noGroup")}</p>
            <div className="grid grid-cols-2 gap-1.5 sm:grid-cols-4">
              {group.rooms.map((room) => (
                <RadioGroup.Item
                  key={room.id}
                  value={String(room.id)}
                  className="flex min-h-11 flex-col items-start justify-center rounded-md border border-border bg-card px-2.5 py-1 text-start hover:border-input data-[state=checked]:border-brass data-[state=checked]:bg-brass-soft data-[state=checked]:text-brass-ink"
                >
                  <span className="flex w-full items-center justify-between gap-1 font-semibold">
                    <bdi className="truncate">{room.name}</bdi>
                    {room.status === "dirty" && <DirtyMark label={t("stay.notCleaned")} />}
                  </span>
                  <span className="text-sm text-muted-foreground">{formatMoney(room.usualMinor, currency)}</span>
                </RadioGroup.Item>
              ))}
            </div>
          </fieldset>
        ))}
      </RadioGroup.Root>
    </div>
  );
}

function DirtyMark({ label }: { label: string }) {
  const Icon = STATUS_ICONS.dirty;
  return (
    <span className="shrink-0 text-dirty" title={label}>
      <Icon aria-hidden className="size-3.5" />
      <span className="sr-only">{label}</span>
    </span>
  );
}

export function ChangeRoomDialog({ stayId, onClose }: { stayId: number; onClose: () => void }) {
  return (
    <StayDialog stayId={stayId} title={t("stay.changeRoom")} onClose={onClose}>
      {(stay) => <ChangeRoomContent stay={stay} onClose={onClose} />}
    </StayDialog>
  );
}

function ChangeRoomContent({ stay, onClose }: { stay: StayDetail; onClose: () => void }) {
  const { currency } = useHotel();
  const paysOut = useCan()("folio.refund");
  const form = useZodForm(changeRoomInput, {
    defaultValues: { stayId: stay.id, disableOldCards: true, agreedTotalMinor: null, channel: null },
  });
  const [selectedRoomId, agreedMinor, channel] = form.watch(["roomId", "agreedTotalMinor", "channel"]);
  const roomId = z.int().safeParse(selectedRoomId).data ?? null;
  const quote = useQuery(
    trpc.stays.changeRoomQuote.queryOptions(
      { stayId: stay.id, roomId: roomId ?? 0 },
      { enabled: roomId !== null, staleTime: 5_000 },
    ),
  );
  const differenceMinor =
    agreedMinor === null || agreedMinor === undefined
      ? quote.data?.differenceMinor
      : agreedMinor + (quote.data?.creditMinor ?? 0);
  const movesMinor = movedMinor(differenceMinor ?? 0, stay.money.owedMinor);
  const endWithKeys = useEndWithKeys();
  const change = useMutation(trpc.stays.changeRoom.mutationOptions({ meta: { shownInForm: true } }));

  async function submit(values: z.output<typeof changeRoomInput>): Promise<void> {
    const expectedDifferenceMinor = values.agreedTotalMinor === null ? (quote.data?.differenceMinor ?? null) : null;
    const result = await askAndRepeat({ ...values, expectedDifferenceMinor }, (input) => change.mutateAsync(input), {
      room_not_ready: askDirty,
      price_changed: async (failure) => {
        const accepted = await askNewPrice(failure, currency, quote.refetch);
        return accepted === null ? null : { expectedDifferenceMinor: accepted };
      },
    });
    if (!result) return;
    const done = t("stay.movedDone", { guest: guestNameOf(stay), from: stay.room.name });
    if (stay.state === "checked_in") return endWithKeys(stay.id, "move", done, onClose);
    toast.success(done);
    onClose();
  }

  return (
    <FormDialogContent
      form={form}
      title={t("stay.changeRoom")}
      description={stay.state === "checked_in" ? t("stay.changeRoomText", { room: stay.room.name }) : undefined}
      submitLabel={actLabel(t("stay.changeRoom"), channel ? moneyMovement(movesMinor) : {}, currency)}
      onClose={onClose}
      onSubmit={submit}
    >
      <StayFacts stay={stay} />
      <Field form={form} name="roomId" label={t("stay.newRoom")} required layout="group">
        {({ value, onChange, ref, "aria-describedby": describedBy }) => (
          <RoomPicker
            value={value ?? null}
            onChange={onChange}
            ref={ref}
            aria-label={t("stay.newRoom")}
            aria-describedby={describedBy}
            exceptRoomId={stay.room.id}
            until={stay.endsAt}
          />
        )}
      </Field>
      {roomId !== null && (
        <RoomChangeBill
          quote={quote.data}
          error={quote.error}
          agreedMinor={agreedMinor ?? null}
          differenceMinor={differenceMinor}
        />
      )}
      {quote.data && (
        <AgreedTotal
          key={roomId}
          value={agreedMinor}
          quotedMinor={quote.data.chargeMinor || undefined}
          message={form.formState.errors.agreedTotalMinor?.message}
          onChange={(minor) => form.setValue("agreedTotalMinor", minor, { shouldDirty: true })}
        />
      )}
      {movesMinor < 0 && !paysOut && <RemainingCreditNote minor={-movesMinor} />}
      {(movesMinor > 0 || (movesMinor < 0 && paysOut)) && (
        <Field
          form={form}
          name="channel"
          label={movesMinor > 0 ? t("stay.payNow") : t("stay.giveBack")}
          quiet
          layout="group"
        >
          {(control) => (
            <ChannelChoice {...control} laterLabel={movesMinor > 0 ? t("stay.payLater") : t("stay.keepAsCredit")} />
          )}
        </Field>
      )}
      {quote.data && (
        <dl aria-live="polite">
          <MoneyRow
            label={movesMinor < 0 ? t("stay.guestGets") : t("stay.dueNow")}
            minor={channel ? Math.abs(movesMinor) : 0}
            strong
          />
        </dl>
      )}
      <Field form={form} name="disableOldCards" label={t("stay.disableRoomCards")} layout="inline">
        {(control) => <CheckboxInput {...control} value={control.value ?? true} />}
      </Field>
    </FormDialogContent>
  );
}

type RoomChangeBillProps = {
  quote: z.infer<typeof changeRoomQuote> | undefined;
  error: unknown;
  /** Agreed price for the rest of the stay, which replaces the quoted charge. */
  agreedMinor: number | null;
  differenceMinor: number | undefined;
};

/** Shows the credit for the old room, the charge for the new one, and the difference. */
function RoomChangeBill({ quote, error, agreedMinor, differenceMinor }: RoomChangeBillProps) {
  if (error) return <p className="font-medium text-danger">{failureText(failureOf(error))}</p>;
  if (!quote) return <Skeleton className="h-24" />;
  return (
    <section aria-label={t("stay.bill")} className="grid gap-3 border-t pt-4">
      {quote.credit.length > 0 && <Part lines={quote.credit} label={t("stay.credit")} />}
      {agreedMinor === null && quote.charge.length > 0 && <Part lines={quote.charge} label={t("stay.charge")} />}
      {agreedMinor !== null && (
        <dl>
          <MoneyRow label={t("stay.agreedTotal")} minor={agreedMinor} />
        </dl>
      )}
      <dl aria-live="polite">
        <MoneyRow
          label={differenceMinor !== undefined && differenceMinor < 0 ? t("stay.inFavour") : t("stay.difference")}
          minor={differenceMinor}
          strong
        />
      </dl>
    </section>
  );
}

function Part({ lines, label }: { lines: readonly QuoteLine[]; label: string }) {
  return (
    <div>
      <p className="mb-1.5 text-xs font-medium text-muted-foreground">{label}</p>
      <QuoteLines lines={lines} label={label} />
    </div>
  );
}
