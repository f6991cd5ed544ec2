import type { Capability } from "@innkey/shared/capabilities";
import { IMPORT_KINDS, type ImportKind } from "@innkey/shared/imports/columns";
import { useNavigate } from "@tanstack/react-router";
import { BedDouble, IdCard, Users } from "lucide-react";
import { useTranslation } from "@/lib/i18n.ts";
import { useCan } from "@/lib/session.ts";
import { ErrorState } from "@/ui/error-state.tsx";
import { NoPermission } from "@/ui/no-permission.tsx";
import { PageHeader } from "@/ui/page-header.tsx";
import { Card } from "@/ui/primitives/card.tsx";
import { Segmented } from "@/ui/primitives/segmented.tsx";
import { ColumnsCard } from "./columns-card.tsx";
import { DoneCard } from "./done-card.tsx";
import { PreviewCard } from "./preview-card.tsx";
import { SourceCard } from "./source-card.tsx";
import { useImport } from "./use-import.ts";

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
