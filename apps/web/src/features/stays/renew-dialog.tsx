import type { StayUnit } from "@innkey/shared/enums";
import { renewInput, type StayDetail } from "@innkey/shared/schemas/stays/stays";
import { keepPreviousData, useMutation, useQuery } from "@tanstack/react-query";
import type { z } from "zod";
import { useEndWithKeys } from "@/entities/stay/end-with-keys.ts";
import { FreeInstead } from "@/entities/stay/free-instead.tsx";
import { laterDeparture } from "@/entities/stay/period.ts";
import { type Renewal, useStayActions } from "@/entities/stay/stay-actions.tsx";
import { askAndRepeat, askNewPrice, guestNameOf, StayDialog, StayFacts } from "@/entities/stay/stay-dialog.tsx";
import { AgreedTotal, actLabel, ChannelChoice, MoneyRow, QuoteLines } from "@/entities/stay/stay-money.tsx";
import { cn } from "@/lib/cn.ts";
import { formatDateTime } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import { failureOf, failureText } from "@/lib/rest.ts";
import { useHotel } from "@/lib/session.ts";
import { useDebounced } from "@/lib/time/timers.ts";
import { trpc } from "@/lib/trpc.ts";
import { HotelDateTimeInput } from "@/ui/form/dates/hotel-date-time-input.tsx";
import { Field } from "@/ui/form/field.tsx";
import { FormDialogContent, useZodForm } from "@/ui/form/form.tsx";
import { Button } from "@/ui/primitives/button.tsx";
import { Skeleton } from "@/ui/primitives/skeleton.tsx";

type Step = { count: number; unit: StayUnit };

const STEPS: Record<"hour" | "night", readonly Step[]> = {
  hour: [
    { count: 1, unit: "hour" },
    { count: 2, unit: "hour" },
    { count: 3, unit: "hour" },
    { count: 6, unit: "hour" },
  ],
  night: [
    { count: 1, unit: "day" },
    { count: 2, unit: "day" },
    { count: 7, unit: "day" },
    { count: 1, unit: "month" },
  ],
};

type RenewDialogProps = { stayId: number; renewal: Renewal | undefined; onClose: () => void };

export function RenewDialog({ stayId, renewal, onClose }: RenewDialogProps) {
  return (
    <StayDialog stayId={stayId} title={t("stay.renew")} onClose={onClose}>
      {(stay) => <RenewContent stay={stay} renewal={renewal} onClose={onClose} />}
    </StayDialog>
  );
}

type RenewContentProps = { stay: StayDetail; renewal: Renewal | undefined; onClose: () => void };

function RenewContent({ stay, renewal, onClose }: RenewContentProps) {
  const { timeZone, currency } = useHotel();
  const steps = STEPS[stay.unit === "hour" ? "hour" : "night"];
  const departureBy = ({ count, unit }: Step): string => laterDeparture(stay.endsAt, count, unit, timeZone, Date.now());
  const form = useZodForm(renewInput, {
    defaultValues: {
      stayId: stay.id,
      unit: stay.unit,
      endsAt:
        renewal?.endsAt ?? laterDeparture(stay.endsAt, 1, stay.unit === "hour" ? "hour" : "day", timeZone, Date.now()),
      agreedTotalMinor: null,
      channel: null,
    },
  });
  const [endsAt, agreedMinor, unit, channel] = form.watch(["endsAt", "agreedTotalMinor", "unit", "channel"]);
  const request = { stayId: stay.id, unit, endsAt };
  const debounced = useDebounced(request);
  const enabled = Boolean(debounced.endsAt) && Date.parse(debounced.endsAt) > Date.parse(stay.endsAt);
  // Nothing is kept after the dialog: the party may then be in another room, at other prices.
  const options = { enabled, placeholderData: keepPreviousData, staleTime: 5_000, gcTime: 0 };
  const quote = useQuery(trpc.stays.renewQuote.queryOptions(debounced, options));
  const free = useQuery(trpc.availability.forStay.queryOptions(debounced, options));
  const actions = useStayActions();
  const isCurrent = enabled && !quote.isPlaceholderData && JSON.stringify(debounced) === JSON.stringify(request);
  const endWithKeys = useEndWithKeys();
  const renew = useMutation(trpc.stays.renew.mutationOptions({ meta: { shownInForm: true } }));
  const totalMinor = agreedMinor ?? (enabled ? quote.data?.totalMinor : undefined);
  const dueMinor = channel && !Number.isNaN(totalMinor) ? (totalMinor ?? 0) : 0;

  /** A party in the house changes rooms first and renews then; a reservation moves in one step. */
  function takeOtherRoom(roomId: number): void {
    if (stay.state === "checked_in") actions.changeRoom(stay.id, { roomId, next: { act: "renew", endsAt } });
    else actions.changeTo({ stayId: stay.id, roomId, startsAt: stay.startsAt, endsAt });
  }

  async function submit(values: z.output<typeof renewInput>): Promise<void> {
    const expectedTotalMinor = values.agreedTotalMinor === null && isCurrent ? (quote.data?.totalMinor ?? null) : null;
    const result = await askAndRepeat({ ...values, expectedTotalMinor }, (input) => renew.mutateAsync(input), {
      price_changed: async (failure) => {
        const accepted = await askNewPrice(failure, currency, quote.refetch);
        return accepted === null ? null : { expectedTotalMinor: accepted };
      },
    });
    if (!result) return;
    const done = t("stay.renewedDone", { guest: guestNameOf(stay), until: formatDateTime(result.endsAt, timeZone) });
    await endWithKeys(stay.id, renewal?.after ?? "extension", done, onClose);
  }

  return (
    <FormDialogContent
      form={form}
      title={t("stay.renew")}
      submitLabel={actLabel(t("stay.renew"), { receivedMinor: dueMinor }, currency)}
      onClose={onClose}
      onSubmit={submit}
    >
      <StayFacts stay={stay} />
      <fieldset aria-label={t("stay.longerBy")} className="flex flex-wrap gap-1.5">
        {steps.map((step) => {
          const isSelected = departureBy(step) === endsAt;
          return (
            <Button
              variant="outline"
              key={`${step.count}${step.unit}`}
              size="sm"
              aria-pressed={isSelected}
              className={cn(
                isSelected && "border-brass bg-brass-soft text-brass-ink hover:border-brass hover:bg-brass-soft",
              )}
              onClick={() => form.setValue("endsAt", departureBy(step), { shouldDirty: true, shouldValidate: true })}
            >
              {t(`stay.plus.${step.unit === "year" ? "month" : step.unit}`, { count: step.count })}
            </Button>
          );
        })}
      </fieldset>
      <Field form={form} name="endsAt" label={t("stay.newDeparture")} required>
        {({ onChange, ...control }) => (
          <HotelDateTimeInput {...control} min={stay.endsAt} onChange={(next) => onChange(next ?? "")} />
        )}
      </Field>
      {enabled && free.data?.ownRoomFree === false && (
        <FreeInstead stay={stay} free={free.data} onTake={takeOtherRoom} />
      )}
      <section
        aria-label={t("stay.bill")}
        aria-busy={!isCurrent}
        className={cn("grid gap-3 border-t pt-4 transition-opacity", !isCurrent && "opacity-60")}
      >
        {quote.error && enabled ? (
          <p className="font-medium text-danger">{failureText(failureOf(quote.error))}</p>
        ) : !enabled ? null : quote.data ? (
          quote.data.lines.length === 0 ? (
            <p className="text-muted-foreground">{t("stay.nothingToPay")}</p>
          ) : (
            <>
              <QuoteLines lines={quote.data.lines} label={t("stay.quoteLines")} />
              <dl aria-live="polite">
                <MoneyRow
                  label={t("stay.total")}
                  minor={quote.data.totalMinor}
                  strong={agreedMinor === null}
                  className={cn(agreedMinor !== null && "line-through")}
                />
              </dl>
            </>
          )
        ) : (
          <Skeleton className="h-16" />
        )}
      </section>
      <AgreedTotal
        value={agreedMinor}
        quotedMinor={quote.data?.totalMinor || undefined}
        message={form.formState.errors.agreedTotalMinor?.message}
        onChange={(minor) => form.setValue("agreedTotalMinor", minor, { shouldDirty: true })}
      />
      {Boolean(totalMinor) && (
        <Field form={form} name="channel" label={t("stay.payNow")} quiet layout="group">
          {(control) => <ChannelChoice {...control} laterLabel={t("stay.payLater")} />}
        </Field>
      )}
      <dl aria-live="polite">
        <MoneyRow label={t("stay.dueNow")} minor={dueMinor} strong />
      </dl>
    </FormDialogContent>
  );
}
