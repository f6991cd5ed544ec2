import { FileText } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "@/lib/i18n.ts";
import { Button } from "@/ui/primitives/button.tsx";
import { ReceiptDialog } from "./receipt-dialog.tsx";

type ReceiptButtonProps = { stayId: number; nationality: string | null };

/** The receipt of a stay; first asks in which language. */
export function ReceiptButton(props: ReceiptButtonProps) {
  const { t } = useTranslation();
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Button size="sm" needsServer onClick={() => setAsking(true)}>
        <FileText aria-hidden />
        {t("receipt.title")}
      </Button>
      {asking && <ReceiptDialog {...props} onClose={() => setAsking(false)} />}
    </>
  );
}
