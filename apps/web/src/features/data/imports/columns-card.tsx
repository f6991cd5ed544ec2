import { DATE_ORDERS } from "@innkey/shared/imports/cells";
import { IMPORT_COLUMNS, type ImportColumn } from "@innkey/shared/imports/columns";
import { useId } from "react";
import { useTranslation } from "@/lib/i18n.ts";
import { ActionButton } from "@/ui/action/action-button.tsx";
import { CardHeading } from "@/ui/card-heading.tsx";
import { Segmented } from "@/ui/form/segmented.tsx";
import { SelectInput } from "@/ui/form/select-input.tsx";
import { Card, CardContent } from "@/ui/primitives/card.tsx";
import { Label } from "@/ui/primitives/label.tsx";
import { COLUMN_WORDS } from "./column-words.ts";
import type { Plan, TableFile } from "./table-file.ts";
import type { Import } from "./use-import.ts";

const LEFT_OUT = "-";
const EXISTING = ["skip", "update"] as const;

/** Assigns a meaning to each column of the file. Known headings are assigned automatically. */
export function ColumnsCard({ flow, file, plan }: { flow: Import; file: TableFile; plan: Plan }) {
  const { t } = useTranslation();
  const dates = useId();
  const existing = useId();
  const words = COLUMN_WORDS[plan.kind];
  const columns: readonly ImportColumn[] = IMPORT_COLUMNS[plan.kind];
  const options = [
    { value: LEFT_OUT, label: <span className="text-muted-foreground">{t("imports.leaveOut")}</span> },
    ...columns.flatMap((value) => (words[value] ? [{ value, label: t(words[value]) }] : [])),
  ];
  const hasName = plan.mapping.includes("name");

  function choose(at: number, value: string): void {
    const column = columns.find((one) => one === value) ?? null;
    // Each import column has one source: the file's column that had it before becomes unassigned.
    const mapping = plan.mapping.map((one, index) => (index === at ? column : one === column ? null : one));
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
                value={plan.mapping[at] ?? LEFT_OUT}
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
            {!hasName && words.name && (
              <p role="alert" className="text-sm font-medium text-danger">
                {t("imports.nameNeeded", { name: t(words.name) })}
              </p>
            )}
            <ActionButton
              variant={flow.seen ? "outline" : "default"}
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
