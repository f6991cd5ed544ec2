import type { ImportKind } from "@innkey/shared/imports/columns";
import { ErrorState } from "@/ui/error-state.tsx";
import { Card } from "@/ui/primitives/card.tsx";
import { ColumnsCard } from "./columns-card.tsx";
import { DoneCard } from "./done-card.tsx";
import { PreviewCard } from "./preview-card.tsx";
import { SourceCard } from "./source-card.tsx";
import { useImport } from "./use-import.ts";

/** A file, its columns, what they would do, and what was done; a step is there once the one before is. */
export function ImportSteps({ kind }: { kind: ImportKind }) {
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
