import { movedMinor } from "@innkey/shared/folio";
import type { QuoteLine } from "@innkey/shared/price-rules";
import { changeRoomInput, type changeRoomQuote, type StayDetail } from "@innkey/shared/schemas/stays/stays";
import { useMutation, useQuery } from "@tanstack/react-query";
import { z } from "zod";
import { FreeRoomPicker } from "@/entities/room/free-rooms.tsx";
import { useEndWithKeys } from "@/entities/stay/end-with-keys.ts";
import { type RoomChange, useStayActions } from "@/entities/stay/stay-actions.tsx";
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
import { formatPriceChange } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import { failureOf, failureText } from "@/lib/rest.ts";
import { useCan, useHotel } from "@/lib/session.ts";
import { toast } from "@/lib/toast.ts";
import { trpc } from "@/lib/trpc.ts";
import { Field } from "@/ui/form/field.tsx";
import { FormDialogContent, useZodForm } from "@/ui/form/form.tsx";
import { Skeleton } from "@/ui/primitives/skeleton.tsx";

type ChangeRoomDialogProps = { stayId: number; change: RoomChange | undefined; onClose: () => void };

export function ChangeRoomDialog({ stayId, change, onClose }: ChangeRoomDialogProps) {
  return (
    <StayDialog stayId={stayId} title={t("stay.changeRoom")} onClose={onClose}>
      {(stay) => <ChangeRoomContent stay={stay} change={change} onClose={onClose} />}
    </StayDialog>
  );
}

type ChangeRoomContentProps = { stay: StayDetail; change: RoomChange | undefined; onClose: () => void };

function ChangeRoomContent({ stay, change: preset, onClose }: ChangeRoomContentProps) {
  const { currency } = useHotel();
  const paysOut = useCan()("folio.refund");
  const form = useZodForm(changeRoomInput, {
    defaultValues: {
      stayId: stay.id,
      roomId: preset?.roomId,
      agreedTotalMinor: null,
      channel: null,
    },
  });
  const [selectedRoomId, agreedMinor, channel] = form.watch(["roomId", "agreedTotalMinor", "channel"]);
  const roomId = z.int().safeParse(selectedRoomId).data ?? null;
  const quote = useQuery(
    trpc.stays.changeRoomQuote.queryOptions(
      { stayId: stay.id, roomId: roomId ?? 0 },
      { enabled: roomId !== null, staleTime: 5_000, gcTime: 0 },
    ),
  );
  const differenceMinor =
    agreedMinor === null || agreedMinor === undefined
      ? quote.data?.differenceMinor
      : agreedMinor + (quote.data?.creditMinor ?? 0);
  const movesMinor = movedMinor(differenceMinor ?? 0, stay.money.owedMinor);
  const actions = useStayActions();
  const next = preset?.next;
  const free = useQuery(
    trpc.availability.forStay.queryOptions({ stayId: stay.id, arrives: next?.act === "arrive" }, { staleTime: 0 }),
  );
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
    if (next) {
      toast.success(done);
      if (next.act === "arrive") actions.arrive(stay.id);
      else actions.renew(stay.id, { endsAt: next.endsAt, after: "move" });
      return;
    }
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
          <FreeRoomPicker
            value={value ?? null}
            onChange={onChange}
            ref={ref}
            aria-label={t("stay.newRoom")}
            aria-describedby={describedBy}
            groups={free.data?.groups}
            priceOf={({ priceMinor }) => (priceMinor === null ? "–" : formatPriceChange(priceMinor, currency))}
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
