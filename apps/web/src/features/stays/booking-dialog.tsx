import type { StayUnit } from "@innkey/shared/enums";
import { MAX_GUESTS } from "@innkey/shared/limits";
import type { RoomDetail } from "@innkey/shared/schemas/property/rooms";
import { findRoomsInput } from "@innkey/shared/schemas/stays/availability";
import { checkInInput, type QuoteOutput, quoteInput, reserveInput } from "@innkey/shared/schemas/stays/stays";
import { keepPreviousData, useMutation, useQuery } from "@tanstack/react-query";
import { UserPlus, X } from "lucide-react";
import { type ReactNode, useId } from "react";
import { type UseFormReturn, useFieldArray } from "react-hook-form";
import type { z } from "zod";
import { CustomerCombobox } from "@/entities/customer/customer-combobox.tsx";
import { GuestFields, isMasked, type MatchingGuest, NO_GUEST } from "@/entities/guest/guest-fields.tsx";
import { FreeRoomsInstead, isFree } from "@/entities/room/free-rooms.tsx";
import { useEndWithKeys } from "@/entities/stay/end-with-keys.ts";
import { firstPeriod } from "@/entities/stay/period.ts";
import type { ChosenPeriod } from "@/entities/stay/stay-actions.tsx";
import { askAlreadyIn, askAndRepeat, askDirty, askNewPrice } from "@/entities/stay/stay-dialog.tsx";
import {
  AgreedTotal,
  actLabel,
  ChannelChoice,
  DepositFields,
  MoneyRow,
  QuoteLines,
} from "@/entities/stay/stay-money.tsx";
import { undoCheckIn } from "@/entities/stay/undo-check-in.ts";
import { cn } from "@/lib/cn.ts";
import { formatPrice } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import { queryClient } from "@/lib/query-client.ts";
import { failureOf, failureText } from "@/lib/rest.ts";
import { type Me, useCan, useHotel } from "@/lib/session.ts";
import { useDebounced } from "@/lib/time/timers.ts";
import { toast } from "@/lib/toast.ts";
import { trpc } from "@/lib/trpc.ts";
import { ActionButton } from "@/ui/action/action-button.tsx";
import { IconButton } from "@/ui/action/icon-button.tsx";
import { DialogPanel } from "@/ui/dialog/panel.tsx";
import { CheckboxInput } from "@/ui/form/choice-input.tsx";
import { Field } from "@/ui/form/field.tsx";
import { Form, useGuardedClose, useZodForm, type ZodForm } from "@/ui/form/form.tsx";
import { Button } from "@/ui/primitives/button.tsx";
import { Dialog } from "@/ui/primitives/dialog.tsx";
import { Skeleton } from "@/ui/primitives/skeleton.tsx";
import { Textarea } from "@/ui/primitives/textarea.tsx";
import { PeriodFields } from "./period-fields.tsx";

type BookingKind = "checkIn" | "reserve";
type BookingInput = z.input<typeof checkInInput>;
type BookingOutput = z.output<typeof checkInInput>;
type BookingForm = UseFormReturn<BookingInput, unknown, BookingOutput>;

/**
 * Returns the form for check-ins and reservations. A reservation has no deposit, and its schema drops the fields it
 * doesn't have.
 */
function useBookingForm(
  kind: BookingKind,
  roomId: number,
  hotel: Me["hotel"],
  period?: ChosenPeriod,
): ZodForm<typeof checkInInput> {
  return useZodForm(checkInInput, {
    // With "onTouched", a guest who was just added would show errors before anything is typed.
    mode: "onBlur",
    defaultValues: {
      roomId,
      unit: period?.unit ?? "day",
      ...(period ?? firstPeriod(kind, hotel, Date.now())),
      guests: [NO_GUEST],
      breakfast: false,
      otherInformation: "",
      idCardMatch: false,
      customerId: null,
      agreedTotalMinor: null,
      depositMinor: null,
      depositChannel: "cash",
      channel: null,
    },
  });
}

function GuestListFields({ form }: { form: BookingForm }) {
  const guests = useFieldArray({ control: form.control, name: "guests" });

  function fill(
    index: number,
    { name, gender, nationality, birthDate, documentType, documentNumber, mobile, email }: MatchingGuest,
  ): void {
    const guest = { name, gender, nationality, birthDate, documentType, mobile, email };
    form.setValue(
      `guests.${index}`,
      { ...guest, documentNumber: isMasked(documentNumber) ? "" : documentNumber },
      { shouldDirty: true },
    );
    form.clearErrors(`guests.${index}`);
  }

  return (
    <div className="grid gap-5">
      {guests.fields.map((guest, index) => (
        <fieldset key={guest.id} className="min-w-0">
          <div className="mb-2.5 flex min-h-8 items-center justify-between">
            <legend className="float-start font-semibold">
              {guests.fields.length === 1 ? t("stay.guest") : t("stay.guestNumber", { number: index + 1 })}
            </legend>
            {index > 0 && (
              <IconButton
                icon={X}
                size="icon-sm"
                label={t("stay.removeGuest", { number: index + 1 })}
                onClick={() => guests.remove(index)}
              />
            )}
          </div>
          <GuestFields
            form={form}
            at={(name) => `guests.${index}.${name}`}
            onSelectGuest={(guest) => fill(index, guest)}
          />
        </fieldset>
      ))}
      {guests.fields.length < MAX_GUESTS && (
        <Button
          variant="outline"
          size="sm"
          className="justify-self-start"
          onClick={() => guests.append(NO_GUEST, { focusName: `guests.${guests.fields.length}.name` })}
        >
          <UserPlus aria-hidden />
          {t("stay.addGuest")}
        </Button>
      )}
    </div>
  );
}

/** Options of a stay other than its period, guests and money. */
function BookingOptions({ form }: { form: BookingForm }) {
  const can = useCan();
  return (
    <div className="grid gap-x-6 gap-y-3.5 sm:grid-cols-2">
      <div className="grid content-start gap-2.5">
        <Field form={form} name="breakfast" label={t("stay.breakfast")} layout="inline">
          {(control) => <CheckboxInput {...control} value={control.value ?? false} />}
        </Field>
        <Field
          form={form}
          name="idCardMatch"
          label={t("stay.idCardMatch")}
          hint={t("stay.idCardMatchHint")}
          layout="inline"
        >
          {(control) => <CheckboxInput {...control} value={control.value ?? false} />}
        </Field>
      </div>
      <div className="grid content-start gap-3.5">
        {can("customers.view") && (
          <Field form={form} name="customerId" label={t("stay.customer")}>
            {(control) => <CustomerCombobox {...control} value={control.value ?? null} />}
          </Field>
        )}
        <Field form={form} name="otherInformation" label={t("stay.otherInformation")}>
          {(control) => (
            <Textarea {...control} value={control.value ?? ""} rows={2} className="min-h-15" maxLength={1000} />
          )}
        </Field>
      </div>
    </div>
  );
}

type BillProps = {
  form: BookingForm;
  kind: BookingKind;
  quote: QuoteOutput | undefined;
  error: unknown;
  settled: boolean;
};

/**
 * Returns the amount due with the booking in minor units: the total if it is paid now, plus the deposit at check-in.
 * Undefined without a price.
 */
function useDueNow(form: BookingForm, kind: BookingKind, quote: QuoteOutput | undefined): number | undefined {
  const [agreedMinor, depositMinor, channel] = form.watch(["agreedTotalMinor", "depositMinor", "channel"]);
  const totalMinor = agreedMinor ?? quote?.totalMinor;
  const deposit = kind === "checkIn" ? (depositMinor ?? quote?.depositMinor ?? 0) : 0;
  const dueMinor = totalMinor === undefined ? undefined : (channel ? totalMinor : 0) + deposit;
  return Number.isNaN(dueMinor) ? undefined : dueMinor;
}

/** Shows the price of the stay, the deposit and the payment channel. */
function Bill({ form, kind, quote, error, settled }: BillProps) {
  const agreedMinor = form.watch("agreedTotalMinor");
  const dueMinor = useDueNow(form, kind, quote);

  return (
    <section aria-label={t("stay.bill")} className="grid grid-cols-1 gap-4">
      <div className={cn("grid gap-3 transition-opacity", !settled && "opacity-60")} aria-busy={!settled}>
        {error ? (
          <p className="font-medium text-danger">{failureText(failureOf(error))}</p>
        ) : quote ? (
          <>
            <QuoteLines lines={quote.lines} label={t("stay.quoteLines")} />
            <dl className="grid gap-2.5" aria-live="polite">
              {agreedMinor === null || agreedMinor === undefined ? (
                <MoneyRow label={t("stay.total")} minor={quote.totalMinor} strong />
              ) : (
                <MoneyRow
                  label={t("stay.quotedTotal")}
                  minor={quote.totalMinor}
                  className="border-t pt-2.5 text-muted-foreground line-through"
                />
              )}
            </dl>
          </>
        ) : (
          <>
            <Skeleton className="h-9" />
            <Skeleton className="h-6 w-1/2 justify-self-end" />
          </>
        )}
      </div>
      <AgreedTotal
        value={agreedMinor}
        quotedMinor={quote?.totalMinor}
        message={form.formState.errors.agreedTotalMinor?.message}
        onChange={(minor) =>
          form.setValue("agreedTotalMinor", minor, { shouldDirty: true, shouldValidate: form.formState.isSubmitted })
        }
      />
      <Field form={form} name="channel" label={t("stay.payRoom")} quiet layout="group">
        {(control) => <ChannelChoice {...control} laterLabel={t("stay.payLater")} />}
      </Field>
      {kind === "checkIn" && <DepositFields form={form} usualMinor={quote?.depositMinor} />}
      <dl aria-live="polite">
        <MoneyRow label={t("stay.dueNow")} minor={dueMinor} strong />
      </dl>
    </section>
  );
}

type BookingDialogProps = {
  kind: BookingKind;
  roomId: number;
  /** Period to start with, if it was chosen before. */
  period: ChosenPeriod | undefined;
  onClose: () => void;
};

/** Creates a walk-in or a reservation on one screen: period, guests and options beside the bill. */
export function BookingDialog({ kind, roomId: firstRoomId, period, onClose }: BookingDialogProps) {
  const hotel = useHotel();
  const formId = useId();
  const form = useBookingForm(kind, firstRoomId, hotel, period);
  const [watchedRoomId, unit, startsAt, endsAt] = form.watch(["roomId", "unit", "startsAt", "endsAt"]);
  const roomId = Number(watchedRoomId);
  const room = useQuery(trpc.rooms.detail.queryOptions({ roomId }, { placeholderData: keepPreviousData }));
  const { quote, error, settled, refetch } = useQuote({ roomId, unit, startsAt, endsAt });
  const meta = { shownInForm: true };
  const checkIn = useMutation(trpc.stays.checkIn.mutationOptions({ meta }));
  const reserve = useMutation(trpc.stays.reserve.mutationOptions({ meta }));
  const dueMinor = useDueNow(form, kind, quote);
  const close = useGuardedClose(form, onClose);
  const endWithKeys = useEndWithKeys();

  async function submit(values: BookingOutput): Promise<void> {
    const expectedTotalMinor = values.agreedTotalMinor === null && settled ? (quote?.totalMinor ?? null) : null;
    const depositMinor = values.depositMinor ?? quote?.depositMinor ?? null;
    const created = await askAndRepeat(
      { ...values, depositMinor, expectedTotalMinor },
      (input) => (kind === "checkIn" ? checkIn.mutateAsync(input) : reserve.mutateAsync(reserveInput.parse(input))),
      {
        guest_already_in: askAlreadyIn,
        room_not_ready: askDirty,
        price_changed: async (failure) => {
          const accepted = await askNewPrice(failure, hotel.currency, refetch);
          return accepted === null ? null : { expectedTotalMinor: accepted };
        },
      },
    );
    if (!created) return;
    // Who types fast sends the form before the room has loaded.
    const { name } = await queryClient.ensureQueryData(trpc.rooms.detail.queryOptions({ roomId: values.roomId }));
    const params = { guest: values.guests[0]?.name ?? "", room: name };
    if (kind === "checkIn") {
      await endWithKeys(created.stayId, "arrival", t("stay.checkedInDone", params), onClose, () =>
        undoCheckIn(created.stayId, params),
      );
      return;
    }
    toast.success(t("stay.reservedDone", params));
    onClose();
  }

  const title = room.data ? t(`stay.${kind}Room`, { room: room.data.name }) : t(`stay.${kind}`);
  return (
    <Dialog open onOpenChange={(open) => !open && close()}>
      <DialogPanel
        title={title}
        description={room.data && [room.data.remarkName, room.data.groupName].filter(Boolean).join(" · ")}
        className="sm:max-w-5xl"
        onOpenAutoFocus={(event) => {
          event.preventDefault();
          form.setFocus("guests.0.name");
        }}
        footer={
          <>
            <Button variant="outline" onClick={close}>
              {t("common.cancel")}
            </Button>
            <ActionButton type="submit" form={formId} pending={form.formState.isSubmitting}>
              {actLabel(t(`stay.${kind}`), { receivedMinor: dueMinor }, hotel.currency)}
            </ActionButton>
          </>
        }
      >
        <Form form={form} id={formId} onSubmit={submit} className="gap-5">
          <div className="grid grid-cols-1 gap-6 lg:grid-cols-[minmax(0,1fr)_20rem] lg:gap-8">
            <div className="grid content-start gap-6">
              <PeriodFields form={form} />
              <TakenRoom
                room={room.data}
                search={{ unit, startsAt, endsAt, arrives: kind === "checkIn" }}
                onTake={(otherRoomId) => {
                  form.setValue("roomId", otherRoomId);
                  form.clearErrors("root.server");
                }}
              />
              <Section>
                <GuestListFields form={form} />
              </Section>
              <Section>
                <BookingOptions form={form} />
              </Section>
            </div>
            <div className="self-start rounded-lg bg-sunken p-4 lg:sticky lg:top-0">
              <Bill form={form} kind={kind} quote={quote} error={error} settled={settled} />
            </div>
          </div>
        </Form>
      </DialogPanel>
    </Dialog>
  );
}

function Section({ children }: { children: ReactNode }) {
  return <div className="border-t pt-5">{children}</div>;
}

type TakenRoomProps = {
  room: RoomDetail | undefined;
  search: z.input<typeof findRoomsInput>;
  onTake: (roomId: number) => void;
};

/** Says as soon as the period is chosen that the room is taken then, and offers the rooms that aren't. */
function TakenRoom({ room, search, onTake }: TakenRoomProps) {
  const { currency } = useHotel();
  const input = useDebounced(search);
  const enabled = findRoomsInput.safeParse(input).success;
  const { data } = useQuery(trpc.availability.find.queryOptions(input, { enabled, placeholderData: keepPreviousData }));
  if (!room || !data || !enabled || isFree(data, room.id)) return null;
  return (
    <FreeRoomsInstead
      groups={data.groups}
      roomName={room.name}
      groupId={room.groupId}
      priceOf={({ priceMinor }) => formatPrice(priceMinor, currency)}
      onTake={onTake}
    />
  );
}

type QuoteRequest = { roomId: number; unit: StayUnit; startsAt: string; endsAt: string };

/**
 * Quotes the current price of a period once the input pauses. `settled` is true if the price belongs to the present
 * input.
 */
function useQuote(requested: QuoteRequest) {
  const input = useDebounced(requested);
  const enabled = quoteInput.safeParse(input).success;
  const query = useQuery(
    trpc.stays.quote.queryOptions(input, { enabled, placeholderData: keepPreviousData, staleTime: 5_000 }),
  );
  const isCurrent = JSON.stringify(requested) === JSON.stringify(input);
  return {
    quote: enabled ? query.data : undefined,
    error: query.error,
    refetch: query.refetch,
    settled: isCurrent && !query.isPlaceholderData && !query.isPending,
  };
}
