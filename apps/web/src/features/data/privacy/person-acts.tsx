import { Download, Eraser } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "@/lib/i18n.ts";
import { Button } from "@/ui/primitives/button.tsx";
import { EraseDialog } from "./erase-dialog.tsx";

type PersonActsProps = {
  guestId: number;
  name: string;
  /** here or expected */
  blocked: boolean;
  erased: boolean;
};

/** What somebody may ask for: their data, or to be forgotten. */
export function PersonActs({ guestId, name, blocked, erased }: PersonActsProps) {
  const { t } = useTranslation();
  const [erasing, setErasing] = useState(false);
  return (
    <div className="grid gap-2">
      <div className="flex flex-wrap gap-2">
        <Button asChild needsServer>
          <a href={`/api/privacy/guests/${guestId}`} download>
            <Download aria-hidden />
            {t("privacy.export")}
          </a>
        </Button>
        {!erased && (
          <Button variant="dangerQuiet" disabled={blocked} onClick={() => setErasing(true)}>
            <Eraser aria-hidden />
            {t("privacy.erase")}
          </Button>
        )}
      </div>
      <p className="text-sm text-pretty text-muted-foreground">{t("privacy.exportText")}</p>
      {blocked && !erased && <p className="text-sm text-muted-foreground">{t("privacy.eraseBlocked")}</p>}
      {erasing && <EraseDialog guestId={guestId} name={name} onClose={() => setErasing(false)} />}
    </div>
  );
}
