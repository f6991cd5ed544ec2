import { movedMinor } from "@innkey/shared/money";
import type { QuoteLine } from "@innkey/shared/quote";
import { changeRoomInput, type changeRoomQuote, type StayDetail } from "@innkey/shared/schemas/stays/stays";

import { useMutation, useQuery } from "@tanstack/react-query";
import { z } from "zod";
import { actLabel, moneyMoved } from "@/entities/stay/act-label.ts";
import { ChannelChoice, CreditStays } from "@/entities/stay/channel-choice.tsx";
import { MoneyRow, QuoteLines } from "@/entities/stay/quote-lines.tsx";
import { guestNameOf, StayDialog, StayFacts } from "@/entities/stay/stay-dialog.tsx";

import { askAndRepeat, askDirty, askNewPrice } from "@/entities/stay/stay-questions.ts";

import { failureOf, failureText } from "@/lib/api-error.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { useCan, useHotel } from "@/lib/session.ts";
import { toast } from "@/lib/toast.ts";
import { trpc } from "@/lib/trpc.ts";
import { CheckboxInput } from "@/ui/form/checkbox-input.tsx";
import { Field } from "@/ui/form/field.tsx";
import { FormDialogContent } from "@/ui/form/form-dialog.tsx";
import { useZodForm } from "@/ui/form/use-zod-form.ts";
import { Skeleton } from "@/ui/primitives/skeleton.tsx";
import { AgreedTotal } from "./booking/agreed-total.tsx";
import { RoomPicker } from "./room-picker.tsx";

export function ChangeRoomDialog({ stayId, onClose }: { stayId: number; onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <StayDialog stayId={stayId} title={t("stay.changeRoom")} onClose={onClose}>
      {(stay) => <ChangeRoomContent stay={stay} onClose={onClose} />}
    </StayDialog>
  );
}

function ChangeRoomContent({ stay, onClose }: { stay: StayDetail; onClose: () => void }) {
  const { t } = useTranslation();
  const { currency } = useHotel();
  const paysOut = useCan()("folio.refund");
  const form = useZodForm(changeRoomInput, {
    defaultValues: { stayId: stay.id, disableOldCards: true, agreedTotalMinor: null, channel: null },
  });
  const [chosen, agreed, channel] = form.watch(["roomId", "agreedTotalMinor", "channel"]);
  const roomId = z.int().safeParse(chosen).data ?? null;
  const quote = useQuery(
    trpc.stays.changeRoomQuote.queryOptions(
      { stayId: stay.id, roomId: roomId ?? 0 },
      { enabled: roomId !== null, staleTime: 5_000 },
    ),
  );
  const differenceMinor =
    agreed === null || agreed === undefined ? quote.data?.differenceMinor : agreed + (quote.data?.creditMinor ?? 0);
  const movesMinor = movedMinor(differenceMinor ?? 0, stay.money.owedMinor);
  const change = useMutation(trpc.stays.changeRoom.mutationOptions({ meta: { shownInForm: true } }));

  async function submit(values: z.output<typeof changeRoomInput>): Promise<void> {
    const expectedDifferenceMinor = values.agreedTotalMinor === null ? (quote.data?.differenceMinor ?? null) : null;
    const done = await askAndRepeat({ ...values, expectedDifferenceMinor }, (input) => change.mutateAsync(input), {
      room_not_ready: askDirty,
      price_changed: async (failure) => {
        const accepted = await askNewPrice(failure, currency, quote.refetch);
        return accepted === null ? null : { expectedDifferenceMinor: accepted };
      },
    });
    if (!done) return;
    toast.success(t("stay.movedDone", { guest: guestNameOf(stay), from: stay.room.name }));
    onClose();
  }

  return (
    <FormDialogContent
      form={form}
      title={t("stay.changeRoom")}
      description={stay.state === "checked_in" ? t("stay.changeRoomText", { room: stay.room.name }) : undefined}
      submitLabel={actLabel(t, t("stay.changeRoom"), channel ? moneyMoved(movesMinor) : {}, currency)}
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
        <ExchangeBill
          quote={quote.data}
          error={quote.error}
          agreedMinor={agreed ?? null}
          differenceMinor={differenceMinor}
        />
      )}
      {quote.data && (
        <AgreedTotal
          key={roomId}
          value={agreed}
          quotedMinor={quote.data.chargeMinor || undefined}
          message={form.formState.errors.agreedTotalMinor?.message}
          onChange={(minor) => form.setValue("agreedTotalMinor", minor, { shouldDirty: true })}
        />
      )}
      {movesMinor < 0 && !paysOut && <CreditStays minor={-movesMinor} />}
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
      <Field form={form} name="disableOldCards" label={t("stay.disableRoomCards")} layout="inline">
        {(control) => <CheckboxInput {...control} value={control.value ?? true} />}
      </Field>
    </FormDialogContent>
  );
}

type ExchangeBillProps = {
  quote: z.infer<typeof changeRoomQuote> | undefined;
  error: unknown;
  /** Agreed price for the rest of the stay, which replaces the quoted charge. */
  agreedMinor: number | null;
  differenceMinor: number | undefined;
};

/** Shows the credit for the old room, the charge for the new one, and the difference. */
function ExchangeBill({ quote, error, agreedMinor, differenceMinor }: ExchangeBillProps) {
  const { t } = useTranslation();
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
