import type { ImportOutput } from "@innkey/shared/schemas/imports";
import { Download } from "lucide-react";
import { useEffect, useId, useRef, useState } from "react";
import { failureOf, failureText } from "@/lib/api-error.ts";
import { formatList, formatNumber } from "@/lib/format.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { Alert } from "@/ui/primitives/alert.tsx";
import { Button } from "@/ui/primitives/button.tsx";
import { Card, CardBody, CardHeader } from "@/ui/primitives/card.tsx";
import { Label } from "@/ui/primitives/label.tsx";
import { Progress } from "@/ui/primitives/progress.tsx";
import { Switch } from "@/ui/primitives/switch.tsx";
import { ActCounts } from "./act-chip.tsx";
import { saveErrorRows } from "./error-rows.ts";
import { PreviewTable } from "./preview-table.tsx";
import type { Plan, TableFile } from "./table-file.ts";
import type { Import } from "./use-import.ts";

type PreviewCardProps = { flow: Import; file: TableFile; plan: Plan; seen: ImportOutput };

/** Shows what the import would do with each row, and the button that starts it. */
export function PreviewCard({ flow, file, plan, seen }: PreviewCardProps) {
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
      <CardHeader title={t("imports.preview")} actions={<ActCounts acts={seen.acts} />} />
      <CardBody className="grid gap-3">
        {seen.newGroups.length > 0 && <p dir="auto">{t("imports.newGroups", { names: formatList(seen.newGroups) })}</p>}
        {errors > 0 && (
          <Alert
            tone="warning"
            title={t("imports.errorsTitle", { count: errors })}
            actions={
              <Button size="sm" onClick={() => saveErrorRows(file, plan, seen)}>
                <Download aria-hidden />
                {t("imports.download")}
              </Button>
            }
          >
            {t("imports.errorsText")}
          </Alert>
        )}
        {errors > 0 && (
          <div className="flex items-center gap-2.5">
            <Switch id={switchId} value={onlyErrors} onChange={setOnlyErrors} />
            <Label htmlFor={switchId}>{t("imports.onlyErrors")}</Label>
          </div>
        )}
      </CardBody>
      <PreviewTable file={file} plan={plan} outcome={seen} onlyErrors={onlyErrors} />
      <CardBody className="grid gap-3 pt-4">
        {flow.runError && (
          <Alert tone="danger" title={failureText(failureOf(flow.runError))}>
            {flow.done > 0 && t("imports.stopped")}
          </Alert>
        )}
        <div className="flex flex-wrap items-center justify-end gap-x-4 gap-y-2">
          {flow.running && (
            <div className="grid min-w-48 flex-1 gap-1" role="status">
              <span className="text-sm text-muted-foreground tabular-nums">
                {t("imports.running", { done: formatNumber(flow.done), total: formatNumber(sent) })}
              </span>
              <Progress value={plan.kind === "guests" ? (100 * flow.done) / sent : null} label={t("nav.imports")} />
            </div>
          )}
          {rowCount === 0 && <p className="text-muted-foreground">{t("imports.nothingToDo")}</p>}
          <Button variant="primary" disabled={rowCount === 0} pending={flow.running} onClick={flow.start}>
            {errors > 0 ? t("imports.runRest", { count: rowCount }) : t("imports.run", { count: rowCount })}
          </Button>
        </div>
      </CardBody>
    </Card>
  );
}
