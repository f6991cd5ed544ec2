import type { Capability } from "@innkey/shared/capabilities";
import { DATE_ORDERS } from "@innkey/shared/imports/cells";
import { IMPORT_COLUMNS, IMPORT_KINDS, type ImportColumn, type ImportKind } from "@innkey/shared/imports/columns";
import type { ImportOutput } from "@innkey/shared/schemas/data";
import { Link, useNavigate } from "@tanstack/react-router";
import { BedDouble, Download, IdCard, Users } from "lucide-react";
import { useEffect, useId, useRef, useState } from "react";
import { formatList, formatNumber } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import { failureOf, failureText } from "@/lib/rest.ts";
import { useCan } from "@/lib/session.ts";
import { ActionButton } from "@/ui/action/action-button.tsx";
import { Callout } from "@/ui/callout.tsx";
import { NoPermission } from "@/ui/can.tsx";
import { CardHeading } from "@/ui/card-parts.tsx";
import { Segmented, SwitchInput } from "@/ui/form/choice-input.tsx";
import { SelectInput } from "@/ui/form/select-input.tsx";
import { PageHeader } from "@/ui/page-header.tsx";
import { ErrorState } from "@/ui/page-state.tsx";
import { Button } from "@/ui/primitives/button.tsx";
import { Card, CardContent } from "@/ui/primitives/card.tsx";
import { Label } from "@/ui/primitives/label.tsx";
import { Progress } from "@/ui/primitives/progress.tsx";
import { COLUMN_LABELS } from "./column-labels.ts";
import { ActCounts, PreviewTable, saveErrorRows } from "./preview-table.tsx";
import { SourceCard } from "./source-card.tsx";
import type { Plan, TableFile } from "./table-file.ts";
import { type Import, useImport } from "./use-import.ts";

const UNASSIGNED = "-";
const EXISTING = ["skip", "update"] as const;

/** Assigns a meaning to each column of the file. Known headings are assigned automatically. */
function ColumnsCard({ flow, file, plan }: { flow: Import; file: TableFile; plan: Plan }) {
  const dates = useId();
  const existing = useId();
  const labels = COLUMN_LABELS[plan.kind];
  const columns: readonly ImportColumn[] = IMPORT_COLUMNS[plan.kind];
  const options = [
    { value: UNASSIGNED, label: <span className="text-muted-foreground">{t("imports.leaveOut")}</span> },
    ...columns.flatMap((value) => (labels[value] ? [{ value, label: t(labels[value]) }] : [])),
  ];
  const hasName = plan.mapping.includes("name");

  function choose(at: number, value: string): void {
    const column = columns.find((other) => other === value) ?? null;
    // Each import column has one source: the file's column that had it before becomes unassigned.
    const mapping = plan.mapping.map((other, index) => (index === at ? column : other === column ? null : other));
    flow.change({ ...plan, mapping });
  }

  return (
    <Card>
      <CardHeading title={t("imports.columns")} description={t("imports.columnsText")} />
      <CardContent>
        <ul className="grid gap-x-6 gap-y-3 sm:grid-cols-2 xl:grid-cols-3">
          {file.headings.map((heading, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a column is its place; headings may repeat
            <li key={at} className="grid min-w-0 grid-cols-[minmax(0,1fr)_minmax(0,1fr)] items-center gap-3">
              <div className="min-w-0">
                <p dir="auto" className="truncate font-medium">
                  {heading || "–"}
                </p>
                <p dir="auto" className="truncate text-sm text-muted-foreground">
                  {file.rows[0]?.[at] || "–"}
                </p>
              </div>
              <SelectInput
                aria-label={heading || String(at + 1)}
                value={plan.mapping[at] ?? UNASSIGNED}
                onChange={(value) => choose(at, value)}
                options={options}
              />
            </li>
          ))}
        </ul>
        <div className="mt-5 flex flex-wrap items-end gap-x-6 gap-y-4 border-t pt-4">
          {plan.kind === "rooms" && (
            <div className="grid justify-items-start gap-1.5">
              <Label id={existing}>{t("imports.existing")}</Label>
              <Segmented
                aria-labelledby={existing}
                value={plan.existing}
                onChange={(next) => flow.change({ ...plan, existing: next })}
                options={EXISTING.map((value) => ({ value, label: t(`imports.existingOf.${value}`) }))}
              />
            </div>
          )}
          {plan.kind === "guests" && (
            <div className="grid w-full max-w-64 gap-1.5">
              <Label htmlFor={dates}>{t("imports.dates")}</Label>
              <SelectInput
                id={dates}
                value={plan.dateOrder}
                onChange={(next) => flow.change({ ...plan, dateOrder: next })}
                options={DATE_ORDERS.map((value) => ({ value, label: t(`imports.datesOf.${value}`) }))}
              />
            </div>
          )}
          <div className="ms-auto flex items-center gap-3">
            {!hasName && labels.name && (
              <p role="alert" className="text-sm font-medium text-danger">
                {t("imports.nameNeeded", { name: t(labels.name) })}
              </p>
            )}
            <ActionButton
              variant={flow.preview ? "outline" : "default"}
              disabled={!hasName}
              pending={flow.checking}
              onClick={flow.check}
            >
              {t("imports.check")}
            </ActionButton>
          </div>
        </div>
      </CardContent>
    </Card>
  );
}

type PreviewCardProps = { flow: Import; file: TableFile; plan: Plan; preview: ImportOutput };

/** Shows what the import would do with each row, and the button that starts it. */
function PreviewCard({ flow, file, plan, preview }: PreviewCardProps) {
  const switchId = useId();
  const cardRef = useRef<HTMLDivElement>(null);
  const [onlyErrors, setOnlyErrors] = useState(false);
  const errors = preview.acts.filter((act) => act === "error").length;
  const rowCount = preview.acts.filter((act) => act !== "error" && act !== "skip").length;
  const importedCount = preview.acts.length - errors;
  // The effect has braces because browsers may return a value from scrollIntoView, which React would take for the
  // cleanup function.
  useEffect(() => {
    cardRef.current?.scrollIntoView({ block: "start", behavior: "instant" });
  }, []);

  return (
    <Card ref={cardRef}>
      <CardHeading title={t("imports.preview")} actions={<ActCounts acts={preview.acts} />} />
      <CardContent className="grid gap-3">
        {preview.newGroups.length > 0 && (
          <p dir="auto">{t("imports.newGroups", { names: formatList(preview.newGroups) })}</p>
        )}
        {errors > 0 && (
          <Callout
            tone="warning"
            title={t("imports.errorsTitle", { count: errors })}
            actions={
              <Button variant="outline" size="sm" onClick={() => saveErrorRows(file, plan, preview)}>
                <Download aria-hidden />
                {t("imports.download")}
              </Button>
            }
          >
            {t("imports.errorsText")}
          </Callout>
        )}
        {errors > 0 && (
          <div className="flex items-center gap-2.5">
            <SwitchInput id={switchId} value={onlyErrors} onChange={setOnlyErrors} />
            <Label htmlFor={switchId}>{t("imports.onlyErrors")}</Label>
          </div>
        )}
      </CardContent>
      <PreviewTable file={file} plan={plan} outcome={preview} onlyErrors={onlyErrors} />
      <CardContent className="grid gap-3 pt-4">
        {flow.runError && (
          <Callout tone="danger" title={failureText(failureOf(flow.runError))}>
            {flow.doneCount > 0 && t("imports.stopped")}
          </Callout>
        )}
        <div className="flex flex-wrap items-center justify-end gap-x-4 gap-y-2">
          {flow.running && (
            <div className="grid min-w-48 flex-1 gap-1" role="status">
              <span className="text-sm text-muted-foreground tabular-nums">
                {t("imports.running", { done: formatNumber(flow.doneCount), total: formatNumber(importedCount) })}
              </span>
              <Progress
                value={plan.kind === "guests" ? (100 * flow.doneCount) / importedCount : null}
                aria-label={t("nav.imports")}
              />
            </div>
          )}
          {rowCount === 0 && <p className="text-muted-foreground">{t("imports.nothingToDo")}</p>}
          <ActionButton disabled={rowCount === 0} pending={flow.running} onClick={flow.start}>
            {errors > 0 ? t("imports.runRest", { count: rowCount }) : t("imports.run", { count: rowCount })}
          </ActionButton>
        </div>
      </CardContent>
    </Card>
  );
}

const PAGES = { rooms: "/room", guests: "/guests", customers: "/customer/customer" } as const;

type DoneCardProps = { flow: Import; file: TableFile; plan: Plan; result: ImportOutput };

/** Shows what was imported and what was not, and explains how to undo it. */
function DoneCard({ flow, file, plan, result }: DoneCardProps) {
  const errors = result.acts.filter((act) => act === "error").length;
  return (
    <Card>
      <CardHeading title={t("imports.done")} actions={<ActCounts acts={result.acts} />} />
      <CardContent className="grid gap-4">
        <p role="status" className="text-muted-foreground">
          {t(`imports.undo.${plan.kind}`)}
        </p>
        {errors > 0 && (
          <Callout
            tone="warning"
            title={t("imports.errorsTitle", { count: errors })}
            actions={
              <Button variant="outline" size="sm" onClick={() => saveErrorRows(file, plan, result)}>
                <Download aria-hidden />
                {t("imports.download")}
              </Button>
            }
          />
        )}
        <div className="flex flex-wrap gap-2">
          <Button asChild>
            <Link to={PAGES[plan.kind]}>{t(`nav.${plan.kind}`)}</Link>
          </Button>
          <Button variant="outline" onClick={flow.restart}>
            {t("imports.another")}
          </Button>
        </div>
      </CardContent>
      {errors > 0 && <PreviewTable file={file} plan={plan} outcome={result} onlyErrors />}
    </Card>
  );
}

const REQUIRED_CAPABILITY = {
  rooms: "rooms.manage",
  guests: "stays.manage",
  customers: "customers.manage",
} as const satisfies Record<ImportKind, Capability>;
const ICONS = { rooms: BedDouble, guests: Users, customers: IdCard };
const LABELS = { rooms: "card.rooms", guests: "nav.guests", customers: "nav.customers" } as const;

/** Imports rooms, guests or customers from a spreadsheet. The steps start over when another kind is chosen. */
export function ImportPage({ kind: requestedKind }: { kind: ImportKind | undefined }) {
  const can = useCan();
  const navigate = useNavigate();
  const kinds = IMPORT_KINDS.filter((kind) => can(REQUIRED_CAPABILITY[kind]));
  const kind = kinds.find((other) => other === requestedKind) ?? kinds[0];
  if (!kind) return <NoPermission />;

  return (
    <>
      <PageHeader title={t("nav.imports")} description={t("imports.text")} />
      <div className="mb-4 flex flex-wrap items-center gap-x-4 gap-y-2">
        <Segmented
          aria-label={t("imports.kind")}
          value={kind}
          onChange={(next) => void navigate({ to: "/imports", search: { kind: next }, replace: true })}
          options={kinds.map((value) => ({ value, label: t(LABELS[value]), icon: ICONS[value] }))}
        />
        <p className="text-muted-foreground">{t(`imports.kindText.${kind}`)}</p>
      </div>
      <ImportSteps key={kind} kind={kind} />
    </>
  );
}

/** Steps of an import: file, columns, preview and result. Each appears once the step before it is complete. */
function ImportSteps({ kind }: { kind: ImportKind }) {
  const flow = useImport(kind);
  const { file, plan, preview, result } = flow;
  if (file && plan && result) return <DoneCard flow={flow} file={file} plan={plan} result={result} />;
  return (
    <div className="grid gap-4">
      <SourceCard kind={kind} flow={flow} />
      {file && plan && !file.problem && <ColumnsCard flow={flow} file={file} plan={plan} />}
      {flow.checkError && (
        <Card>
          <ErrorState error={flow.checkError} onRetry={flow.check} />
        </Card>
      )}
      {file && plan && preview && <PreviewCard flow={flow} file={file} plan={plan} preview={preview} />}
    </div>
  );
}
