import type { ImportOutput } from "@innkey/shared/schemas/imports";
import { Link } from "@tanstack/react-router";
import { Download } from "lucide-react";
import { useTranslation } from "@/lib/i18n.ts";
import { Alert } from "@/ui/primitives/alert.tsx";
import { Button } from "@/ui/primitives/button.tsx";
import { Card, CardBody, CardHeader } from "@/ui/primitives/card.tsx";
import { ActCounts } from "./act-chip.tsx";
import { saveErrorRows } from "./error-rows.ts";
import { PreviewTable } from "./preview-table.tsx";
import type { Plan, TableFile } from "./table-file.ts";
import type { Import } from "./use-import.ts";

const PAGES = { rooms: "/room", guests: "/guests", customers: "/customer/customer" } as const;

type DoneCardProps = { flow: Import; file: TableFile; plan: Plan; result: ImportOutput };

/** Shows what was imported and what was not, and explains how to undo it. */
export function DoneCard({ flow, file, plan, result }: DoneCardProps) {
  const { t } = useTranslation();
  const errors = result.acts.filter((act) => act === "error").length;
  return (
    <Card>
      <CardHeader title={t("imports.done")} actions={<ActCounts acts={result.acts} />} />
      <CardBody className="grid gap-4">
        <p role="status" className="text-muted-foreground">
          {t(`imports.undo.${plan.kind}`)}
        </p>
        {errors > 0 && (
          <Alert
            tone="warning"
            title={t("imports.errorsTitle", { count: errors })}
            actions={
              <Button size="sm" onClick={() => saveErrorRows(file, plan, result)}>
                <Download aria-hidden />
                {t("imports.download")}
              </Button>
            }
          />
        )}
        <div className="flex flex-wrap gap-2">
          <Button variant="primary" asChild>
            <Link to={PAGES[plan.kind]}>{t(`nav.${plan.kind}`)}</Link>
          </Button>
          <Button onClick={flow.again}>{t("imports.another")}</Button>
        </div>
      </CardBody>
      {errors > 0 && <PreviewTable file={file} plan={plan} outcome={result} onlyErrors />}
    </Card>
  );
}
