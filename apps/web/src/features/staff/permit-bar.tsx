import { formatNumber } from "@/lib/format.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { Button } from "@/ui/primitives/button.tsx";
import type { PermitEdits } from "./use-permit-edits.ts";

/** Buttons to save or discard, visible while there are unsaved changes. */
export function PermitBar({ edits }: { edits: PermitEdits }) {
  const { t } = useTranslation();
  if (edits.changed === 0) return null;
  return (
    <div className="sticky bottom-0 z-10 -mx-4 mt-4 flex flex-wrap items-center justify-end gap-2 border-t bg-background px-4 py-3 lg:mx-0 lg:px-0">
      <span aria-live="polite" className="me-auto text-sm text-muted-foreground">
        {t("staff.changed", { formatted: formatNumber(edits.changed) })}
      </span>
      <Button disabled={edits.saving} onClick={edits.discard}>
        {t("stay.discard")}
      </Button>
      <Button variant="primary" pending={edits.saving} onClick={() => void edits.save().catch(() => undefined)}>
        {t("common.save")}
      </Button>
    </div>
  );
}
