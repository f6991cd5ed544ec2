import {
  AGE_RECIPIENT,
  MAX_RECIPIENTS,
  type RosterRow,
  type RosterSettings,
  type RosterSheet,
  rosterSettings,
} from "@innkey/shared/schemas/rosters";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Download, FilePlus, Printer } from "lucide-react";
import { Suspense, useCallback, useMemo, useState } from "react";
import { z } from "zod";
import { api } from "@/lib/api.ts";
import { download } from "@/lib/browser/download.ts";
import { formatNumber, formatShort } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import { appLazy } from "@/lib/loading/app-lazy.ts";
import { useCan, useHotel } from "@/lib/session.ts";
import { toast } from "@/lib/toast.ts";
import { trpc } from "@/lib/trpc.ts";
import { ActionButton } from "@/ui/action/action-button.tsx";
import { Callout } from "@/ui/callout.tsx";
import { NoPermission } from "@/ui/can.tsx";
import { CardHeading } from "@/ui/card-parts.tsx";
import { EmptyLedger } from "@/ui/drawings.tsx";
import { TimeInput } from "@/ui/form/dates/time-input.tsx";
import { Field } from "@/ui/form/field.tsx";
import { Form, useZodForm } from "@/ui/form/form.tsx";
import { NumberInput } from "@/ui/form/text-input.tsx";
import { PageHeader } from "@/ui/page-header.tsx";
import { ErrorState } from "@/ui/page-state.tsx";
import { Button } from "@/ui/primitives/button.tsx";
import { Card, CardContent } from "@/ui/primitives/card.tsx";
import { Skeleton } from "@/ui/primitives/skeleton.tsx";
import { Textarea } from "@/ui/primitives/textarea.tsx";
import { DataTable } from "@/ui/table/data-table.tsx";
import type { DataColumn, RowAction } from "@/ui/table/table-model.ts";

const PaperSheet = appLazy(() => import("./roster-sheet.tsx"));

/** The list with which the desk works while the console is away: on paper now, and as encrypted files each night. */
export function RosterPage() {
  const can = useCan();
  if (!can("stays.view")) return <NoPermission />;
  return (
    <>
      <PageHeader
        title={t("nav.roster")}
        description={t("roster.text")}
        actions={
          <>
            {can("stays.manage") && (
              <Button asChild variant="outline">
                <Link to="/afterOutage">{t("nav.afterOutage")}</Link>
              </Button>
            )}
            <PrintButton />
          </>
        }
      />
      {can("hotel.manage") && <SealedFiles />}
    </>
  );
}

function PrintButton() {
  const [sheet, setSheet] = useState<RosterSheet | null>(null);
  const endPrinting = useCallback(() => setSheet(null), []);
  const read = useMutation({ mutationFn: () => api.rosters.sheet.query(), onSuccess: setSheet });
  return (
    <>
      <ActionButton pending={read.isPending} onClick={() => read.mutate()}>
        <Printer aria-hidden />
        {t("roster.print")}
      </ActionButton>
      {sheet && (
        <Suspense>
          <PaperSheet sheet={sheet} onPrinted={endPrinting} />
        </Suspense>
      )}
    </>
  );
}

function SealedFiles() {
  const overview = useQuery(trpc.rosters.overview.queryOptions());
  if (overview.error && !overview.data)
    return <ErrorState error={overview.error} onRetry={() => void overview.refetch()} />;
  if (!overview.data) return <Skeleton className="h-96 rounded-lg" />;
  const { settings, hasFolder, rows } = overview.data;
  return (
    <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_24rem]">
      <FilesCard rows={rows} isOn={settings.recipients.length > 0} hasFolder={hasFolder} />
      <Card>
        <CardHeading title={t("roster.settings")} />
        <CardContent>
          <SettingsForm key={JSON.stringify(settings)} settings={settings} />
        </CardContent>
      </Card>
    </div>
  );
}

type FilesCardProps = { rows: readonly RosterRow[]; isOn: boolean; hasFolder: boolean };

function FilesCard({ rows, isOn, hasFolder }: FilesCardProps) {
  const columns = useRosterColumns(hasFolder);
  const make = useMutation(
    trpc.rosters.make.mutationOptions({ onSuccess: () => void toast.success(t("roster.made")) }),
  );
  const downloadFile = ({ id, fileName }: RosterRow): void => download(`/api/rosters/${id}/file`, fileName);
  const actions = (): RowAction<RosterRow>[] => [
    { label: t("exports.download"), icon: Download, onSelect: downloadFile },
  ];
  return (
    <Card>
      <CardHeading
        title={t("roster.files")}
        description={t("roster.filesText")}
        actions={
          <ActionButton variant="outline" disabled={!isOn} pending={make.isPending} onClick={() => make.mutate()}>
            <FilePlus aria-hidden />
            {t("roster.make")}
          </ActionButton>
        }
      />
      <CardContent className="grid gap-4">
        {!isOn && (
          <Callout tone="warning" title={t("roster.off")}>
            {t("roster.offText")}
          </Callout>
        )}
        {isOn && !hasFolder && <p className="text-sm text-pretty text-muted-foreground">{t("roster.noFolder")}</p>}
        <DataTable
          label={t("roster.files")}
          columns={columns}
          rows={rows}
          rowId={(row) => String(row.id)}
          onOpen={downloadFile}
          actions={actions}
          empty={{ drawing: EmptyLedger, title: t("roster.noFiles") }}
        />
      </CardContent>
    </Card>
  );
}

function useRosterColumns(hasFolder: boolean): DataColumn<RosterRow>[] {
  const { timeZone } = useHotel();
  return useMemo(
    (): DataColumn<RosterRow>[] => [
      {
        id: "file",
        header: t("exports.file"),
        fixed: true,
        card: "title",
        cell: ({ madeAt, madeBy, rooms, guests }) => (
          <>
            <span className="block font-medium">
              {formatShort(madeAt, timeZone)} · <bdi>{madeBy ?? t("roster.nightly")}</bdi>
            </span>
            <span className="block text-sm font-normal text-muted-foreground">
              {t("roster.counts", { rooms: formatNumber(rooms), guests: formatNumber(guests) })}
            </span>
          </>
        ),
      },
      {
        id: "folder",
        header: t("roster.state"),
        cell: ({ copiedAt, hasCopyFailed }) =>
          copiedAt ? (
            t("roster.copied")
          ) : hasFolder && hasCopyFailed ? (
            <span className="text-sm text-pretty text-danger">{t("roster.notCopied")}</span>
          ) : (
            "–"
          ),
      },
    ],
    [timeZone, hasFolder],
  );
}

const linesOf = (text: string): string[] => text.split(/\s+/).filter((line) => line !== "");

/** The public keys are typed as lines of one text. */
const settingsForm = rosterSettings.extend({
  recipients: z
    .string()
    .max(1_000)
    .refine((text) => {
      const lines = linesOf(text);
      return lines.length <= MAX_RECIPIENTS && lines.every((line) => AGE_RECIPIENT.test(line));
    }, "validation.ageRecipient"),
});

function SettingsForm({ settings }: { settings: RosterSettings }) {
  const form = useZodForm(settingsForm, {
    defaultValues: { ...settings, recipients: settings.recipients.join("\n") },
  });
  const save = useMutation(trpc.rosters.saveSettings.mutationOptions());
  return (
    <Form
      form={form}
      onSubmit={async ({ recipients, ...rest }) => {
        await save.mutateAsync({ ...rest, recipients: linesOf(recipients) });
        toast.success(t("privacy.saved"));
      }}
    >
      <Field form={form} name="recipients" label={t("roster.recipients")} hint={t("roster.recipientsHint")} quiet>
        {(control) => <Textarea {...control} dir="ltr" spellCheck={false} className="font-mono text-sm break-all" />}
      </Field>
      <Field form={form} name="time" label={t("roster.time")} required>
        {(control) => <TimeInput {...control} />}
      </Field>
      <Field form={form} name="keep" label={t("roster.keep")} required>
        {(control) => <NumberInput {...control} inputMode="numeric" className="max-w-32" />}
      </Field>
      <div className="flex justify-end">
        <ActionButton type="submit" disabled={!form.formState.isDirty} pending={form.formState.isSubmitting}>
          {t("common.save")}
        </ActionButton>
      </div>
    </Form>
  );
}
