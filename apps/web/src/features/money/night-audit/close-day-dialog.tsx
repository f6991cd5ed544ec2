import { closeDayForm, type NightAudit, type NightStay } from "@innkey/shared/schemas/overview/night-audit";
import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useEffect } from "react";
import { cn } from "@/lib/cn.ts";
import { formatLocalDate, formatMoney, formatNumber } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import { useHotel } from "@/lib/session.ts";
import { toast } from "@/lib/toast.ts";
import { trpc } from "@/lib/trpc.ts";
import { CheckboxInput } from "@/ui/form/choice-input.tsx";
import { Field } from "@/ui/form/field.tsx";
import { FormDialog, useZodForm } from "@/ui/form/form.tsx";
import { Textarea } from "@/ui/primitives/textarea.tsx";

/** Closes the day with the figures that it shows; what is left open is named, and leads to its guest. */
export function CloseDayDialog({ audit, onClose }: { audit: NightAudit; onClose: () => void }) {
  const { currency } = useHotel();
  const { date, figures } = audit;
  const form = useZodForm(closeDayForm, {
    defaultValues: { date, note: "", figures, checked: false as true },
  });
  const close = useMutation(trpc.nightAudit.close.mutationOptions({ meta: { shownInForm: true } }));
  const day = formatLocalDate(date, { dateStyle: "full" });
  const figuresKey = JSON.stringify(figures);
  const { setValue } = form;
  // Figures that changed meanwhile have to be looked at again.
  useEffect(() => {
    setValue("figures", JSON.parse(figuresKey) as NightAudit["figures"]);
    setValue("checked", false as true);
  }, [figuresKey, setValue]);
  const money = (minor: number): string => formatMoney(minor, currency);
  const takenMinor = figures.channels.reduce((sum, channel) => sum + channel.takenMinor - channel.returnedMinor, 0);
  return (
    <FormDialog
      form={form}
      title={`${t("nightAudit.close")}: ${day}`}
      description={t("nightAudit.closeText")}
      submitLabel={t("nightAudit.close")}
      onClose={onClose}
      onSubmit={async ({ checked: _checked, ...values }) => {
        await close.mutateAsync(values);
        toast.success(t("nightAudit.closedDone", { date: day }));
        onClose();
      }}
    >
      <dl className="grid grid-cols-3 gap-4 rounded-lg border px-4 py-3">
        <Total label={t("nightAudit.revenue")} value={money(figures.revenueMinor)} />
        <Total label={t("nightAudit.taken")} value={money(takenMinor)} />
        <Total
          label={t("nightAudit.owed")}
          value={money(figures.unpaid.owedMinor)}
          warns={figures.unpaid.owedMinor > 0}
        />
      </dl>
      <div className="grid gap-x-6 gap-y-4 sm:grid-cols-3">
        <LeftOpen title={t("nightAudit.unpaid")} count={figures.unpaid.stays} stays={audit.unpaid} />
        <LeftOpen
          title={t("nightAudit.overstaying")}
          count={figures.departures.overstaying}
          stays={audit.overstaying}
        />
        <LeftOpen title={t("nightAudit.notCome")} count={figures.arrivals.notCome} stays={audit.notCome} />
      </div>
      <Field form={form} name="note" label={t("nightAudit.note")}>
        {(control) => <Textarea {...control} value={control.value ?? ""} maxLength={500} />}
      </Field>
      <Field form={form} name="checked" label={t("nightAudit.checked")} layout="inline">
        {(control) => <CheckboxInput {...control} />}
      </Field>
    </FormDialog>
  );
}

function Total({ label, value, warns = false }: { label: string; value: string; warns?: boolean }) {
  return (
    <div className="min-w-0">
      <dt className="truncate text-sm text-muted-foreground">{label}</dt>
      <dd className={cn("truncate font-semibold tabular-nums", warns && "text-expired")}>{value}</dd>
    </div>
  );
}

const MAX_NAMED = 4;

type LeftOpenProps = { title: string; count: number; stays: readonly NightStay[] };

/** Stays that are open in some way when the day is closed. */
function LeftOpen({ title, count, stays }: LeftOpenProps) {
  return (
    <section className="min-w-0">
      <h3 className="flex items-baseline justify-between gap-2 text-sm font-medium">
        {title}
        <span className={cn("tabular-nums", count > 0 ? "text-expired" : "text-muted-foreground")}>
          {formatNumber(count)}
        </span>
      </h3>
      <ul className="mt-1 grid gap-1 text-sm">
        {stays.slice(0, MAX_NAMED).map(({ stayId, stayGuestId, guestName, roomName }) => (
          <li key={stayId} className="flex min-w-0 gap-2">
            <bdi className="shrink-0 font-medium tabular-nums">{roomName}</bdi>
            {stayGuestId === null ? (
              <span className="truncate">{guestName || "–"}</span>
            ) : (
              <Link
                to="/room/thetouristsDetails"
                search={{ id: stayGuestId }}
                dir="auto"
                className="name-run min-w-0 truncate text-brass-ink hover:underline"
              >
                {guestName || "–"}
              </Link>
            )}
          </li>
        ))}
        {count > MAX_NAMED && (
          <li className="text-muted-foreground">{t("nightAudit.more", { number: formatNumber(count - MAX_NAMED) })}</li>
        )}
      </ul>
    </section>
  );
}
