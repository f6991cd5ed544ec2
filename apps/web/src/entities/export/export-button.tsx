import { Download } from "lucide-react";
import { Suspense, useState } from "react";
import { t } from "@/lib/i18n.ts";
import { appLazy } from "@/lib/loading/app-lazy.ts";
import { useCan } from "@/lib/session.ts";
import { ActionButton } from "@/ui/action/action-button.tsx";
import type { ExportableList } from "./export-dialog.tsx";

const ExportDialog = appLazy(() => import("./export-dialog.tsx"));

/** Exports a list to a file. The dialog is loaded when it is opened. */
export function ExportButton({ iconOnly, ...shown }: ExportableList & { iconOnly?: boolean }) {
  const can = useCan();
  const [open, setOpen] = useState(false);
  if (!can("exports.make")) return null;
  return (
    <>
      <ActionButton
        variant={iconOnly ? "outline" : "ghost"}
        size={iconOnly ? "icon" : "sm"}
        aria-label={iconOnly ? t("common.export") : undefined}
        title={iconOnly ? t("common.export") : undefined}
        onClick={() => setOpen(true)}
      >
        <Download aria-hidden />
        {!iconOnly && t("common.export")}
      </ActionButton>
      {open && (
        <Suspense>
          <ExportDialog {...shown} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
