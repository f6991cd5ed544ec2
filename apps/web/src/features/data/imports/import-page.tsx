import type { Capability } from "@innkey/shared/capabilities";
import { IMPORT_KINDS, type ImportKind } from "@innkey/shared/imports/columns";
import type { ImportOutput } from "@innkey/shared/schemas/data/imports";
import { Link, useNavigate } from "@tanstack/react-router";
import { BedDouble, Download, IdCard, Users } from "lucide-react";
import { useEffect, useId, useRef, useState } from "react";
import { failureOf, failureText } from "@/lib/api-error.ts";
import { formatList, formatNumber } from "@/lib/format.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { useCan } from "@/lib/session.ts";
import { ActionButton } from "@/ui/action/action-button.tsx";
import { Callout } from "@/ui/callout.tsx";
import { CardHeading } from "@/ui/card-heading.tsx";
import { ErrorState } from "@/ui/error-state.tsx";
import { SwitchInput } from "@/ui/form/checkbox-input.tsx";
import { Segmented } from "@/ui/form/segmented.tsx";
import { NoPermission } from "@/ui/no-permission.tsx";
import { PageHeader } from "@/ui/page-header.tsx";
import { Button } from "@/ui/primitives/button.tsx";
import { Card, CardContent } from "@/ui/primitives/card.tsx";
import { Label } from "@/ui/primitives/label.tsx";
import { Progress } from "@/ui/primitives/progress.tsx";
import { ColumnsCard } from "./columns-card.tsx";
import { ActCounts, PreviewTable, saveErrorRows } from "./preview-table.tsx";
import { SourceCard } from "./source-card.tsx";
import type { Plan, TableFile } from "./table-file.ts";
import { type Import, useImport } from "./use-import.ts";

type PreviewCardProps = { flow: Import; file: TableFile; plan: Plan; seen: ImportOutput };

/** Shows what the import would do with each row, and the button that starts it. */
function PreviewCard({ flow, file, plan, seen }: PreviewCardProps) {
  const { t } = useTranslation();
  const switchId = useId();
  const cardRef = useRef<HTMLDivElement>(null);
  const [onlyErrors, setOnlyErrors] = useState(false);
  const errors = seen.acts.filter((act) => act === "error").length;
  const rowCount = seen.acts.filter((act) => act !== "error" && act !== "skip").length;
  const sent = seen.acts.length - errors;
  // The effect has braces because browsers may return a value from scrollIntoView, which React would take for the
  // cleanup function.
  useEffect(() => {
    cardRef.current?.scrollIntoView({ block: "start", behavior: "instant" });
  }, []);

  return (
    <Card ref={cardRef}>
      <CardHeading title={t("imports.preview")} actions={<ActCounts acts={seen.acts} />} />
      <CardContent className="grid gap-3">
        {seen.newGroups.length > 0 && <p dir="auto">{t("imports.newGroups", { names: formatList(seen.newGroups) })}</p>}
        {errors > 0 && (
          <Callout
            tone="warning"
            title={t("imports.errorsTitle", { count: errors })}
            actions={
              <Button variant="outline" size="sm" onClick={() => saveErrorRows(file, plan, seen)}>
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
      <PreviewTable file={file} plan={plan} outcome={seen} onlyErrors={onlyErrors} />
      <CardContent className="grid gap-3 pt-4">
        {flow.runError && (
          <Callout tone="danger" title={failureText(failureOf(flow.runError))}>
            {flow.done > 0 && t("imports.stopped")}
          </Callout>
        )}
        <div className="flex flex-wrap items-center justify-end gap-x-4 gap-y-2">
          {flow.running && (
            <div className="grid min-w-48 flex-1 gap-1" role="status">
              <span className="text-sm text-muted-foreground tabular-nums">
                {t("imports.running", { done: formatNumber(flow.done), total: formatNumber(sent) })}
              </span>
              <Progress
                value={plan.kind === "guests" ? (100 * flow.done) / sent : null}
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
  const { t } = useTranslation();
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
          <Button variant="outline" onClick={flow.again}>
            {t("imports.another")}
          </Button>
        </div>
      </CardContent>
      {errors > 0 && <PreviewTable file={file} plan={plan} outcome={result} onlyErrors />}
    </Card>
  );
}

const NEEDED = {
  rooms: "rooms.manage",
  guests: "stays.manage",
  customers: "customers.manage",
} as const satisfies Record<ImportKind, Capability>;
const ICONS = { rooms: BedDouble, guests: Users, customers: IdCard };

/** Imports rooms, guests or customers from a spreadsheet. The steps start over when another kind is chosen. */
export function ImportPage({ kind: requestedKind }: { kind: ImportKind | undefined }) {
  const { t } = useTranslation();
  const can = useCan();
  const navigate = useNavigate();
  const kinds = IMPORT_KINDS.filter((kind) => can(NEEDED[kind]));
  const kind = kinds.find((one) => one === requestedKind) ?? kinds[0];
  if (!kind) return <NoPermission />;

  return (
    <>
      <PageHeader title={t("nav.imports")} description={t("imports.text")} />
      <div className="mb-4 flex flex-wrap items-center gap-x-4 gap-y-2">
        <Segmented
          aria-label={t("imports.kind")}
          value={kind}
          onChange={(next) => void navigate({ to: "/imports", search: { kind: next }, replace: true })}
          options={kinds.map((value) => ({ value, label: t(`nav.${value}`), icon: ICONS[value] }))}
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
  const { file, plan, seen, result } = flow;
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
      {file && plan && seen && <PreviewCard flow={flow} file={file} plan={plan} seen={seen} />}
    </div>
  );
}
