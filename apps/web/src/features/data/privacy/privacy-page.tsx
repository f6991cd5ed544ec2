import { type PrivacyOverview, retentionInput } from "@innkey/shared/schemas/compliance";
import { useMutation, useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api.ts";
import { confirm } from "@/lib/confirm.ts";
import { formatDateTime, formatNumber } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import { useHotel } from "@/lib/session.ts";
import { toast } from "@/lib/toast.ts";
import { trpc } from "@/lib/trpc.ts";
import { ActionButton } from "@/ui/action/action-button.tsx";
import { CardHeading } from "@/ui/card-parts.tsx";
import { Field } from "@/ui/form/field.tsx";
import { Form, useZodForm } from "@/ui/form/form.tsx";
import { RadioInput } from "@/ui/form/radio-input.tsx";
import { NumberInput } from "@/ui/form/text-input.tsx";
import { PageHeader } from "@/ui/page-header.tsx";
import { ErrorState } from "@/ui/page-state.tsx";
import { Card, CardContent } from "@/ui/primitives/card.tsx";
import { Skeleton } from "@/ui/primitives/skeleton.tsx";
import { PersonCard } from "./person-card.tsx";

const DEFAULT_DAYS = 30;

/** Shows how long documents and faces are stored, what the next cleanup will delete, and what recent ones deleted. */
function RetentionCard() {
  const overview = useQuery(trpc.privacy.overview.queryOptions());
  return (
    <Card>
      <CardHeading title={t("privacy.retention")} description={t("privacy.retentionText")} />
      <CardContent>
        {overview.error && !overview.data ? (
          <ErrorState error={overview.error} onRetry={() => void overview.refetch()} />
        ) : overview.data ? (
          <div className="grid gap-6">
            <RetentionForm key={overview.data.days} days={overview.data.days} />
            {overview.data.due && <NextCleanup due={overview.data.due} />}
            <Runs runs={overview.data.runs} />
          </div>
        ) : (
          <Skeleton className="h-72" />
        )}
      </CardContent>
    </Card>
  );
}

function RetentionForm({ days }: { days: number | null }) {
  const form = useZodForm(retentionInput, { defaultValues: { days } });
  const save = useMutation(trpc.privacy.setRetention.mutationOptions());
  const selectedDays = form.watch("days");

  async function submit(days: number | null): Promise<void> {
    const apply = async (): Promise<void> => {
      await save.mutateAsync({ days: days });
      toast.success(t("privacy.saved"));
    };
    const due = await api.privacy.preview.query({ days: days });
    if (due.documents + due.faces === 0) return apply().catch(() => undefined);
    await confirm({
      title: t("privacy.confirmTitle", { count: days ?? 0, formatted: formatNumber(days ?? 0) }),
      description: t("privacy.confirmText", {
        documents: formatNumber(due.documents),
        faces: formatNumber(due.faces),
      }),
      confirmLabel: t("common.save"),
      tone: "danger",
      action: apply,
    });
  }

  return (
    <Form form={form} onSubmit={({ days: requestedDays }) => submit(requestedDays)}>
      <RadioInput
        aria-label={t("privacy.howLong")}
        value={selectedDays === null ? "keep" : "erase"}
        onChange={(mode) =>
          form.setValue("days", mode === "keep" ? null : (days ?? DEFAULT_DAYS), { shouldDirty: true })
        }
        className="grid gap-2"
        options={[
          { value: "keep", label: t("privacy.keepAll") },
          { value: "erase", label: t("privacy.eraseAfter") },
        ]}
      />
      {selectedDays !== null && (
        <Field form={form} name="days" label={t("privacy.days")} required>
          {(control) => <NumberInput {...control} inputMode="numeric" className="max-w-32" />}
        </Field>
      )}
      <div className="flex justify-end">
        <ActionButton type="submit" disabled={selectedDays === days} pending={form.formState.isSubmitting}>
          {t("common.save")}
        </ActionButton>
      </div>
    </Form>
  );
}

function NextCleanup({ due }: { due: NonNullable<PrivacyOverview["due"]> }) {
  return (
    <section>
      <h3 className="font-medium">{t("privacy.due")}</h3>
      {due.documents + due.faces === 0 ? (
        <p className="text-muted-foreground">{t("privacy.dueNothing")}</p>
      ) : (
        <ErasedCount {...due} />
      )}
    </section>
  );
}

function ErasedCount({ documents, faces }: { documents: number; faces: number }) {
  return (
    <p className="tabular-nums">
      {t("privacy.documents")}: <bdi>{formatNumber(documents)}</bdi> · {t("nav.faces")}:{" "}
      <bdi>{formatNumber(faces)}</bdi>
    </p>
  );
}

function Runs({ runs }: { runs: PrivacyOverview["runs"] }) {
  const { timeZone } = useHotel();
  return (
    <section>
      <h3 className="mb-1 font-medium">{t("privacy.runs")}</h3>
      {runs.length === 0 ? (
        <p className="text-muted-foreground">{t("privacy.noRuns")}</p>
      ) : (
        <ol className="divide-y border-y text-sm">
          {runs.map((run) => (
            <li key={run.at} className="flex flex-wrap justify-between gap-x-4 py-1.5">
              <time dateTime={run.at} className="text-muted-foreground">
                {formatDateTime(run.at, timeZone)}
              </time>
              <ErasedCount {...run} />
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}

type PrivacyPageProps = { guestId: number | undefined; onPerson: (guestId: number | undefined) => void };

/** Retention periods of documents, and one person's data. */
export function PrivacyPage({ guestId, onPerson }: PrivacyPageProps) {
  return (
    <>
      <PageHeader title={t("nav.privacy")} description={t("privacy.text")} />
      <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_24rem]">
        <PersonCard guestId={guestId} onPerson={onPerson} />
        <RetentionCard />
      </div>
    </>
  );
}
