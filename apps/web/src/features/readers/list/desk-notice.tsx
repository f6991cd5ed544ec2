import { Nfc } from "lucide-react";
import { useDeskNumber } from "@/entities/reader/desk-presence.ts";
import { checkConnection, useDeskReader } from "@/entities/reader/desk-reader.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { Alert } from "@/ui/primitives/alert.tsx";
import { Button } from "@/ui/primitives/button.tsx";

type DeskNoticeProps = { onAdd: ((reader: { deviceNo: string; type: 1 | 2 | 3 }) => void) | undefined };

/** Tells how to find the reader at this desk, or that it is not in the list yet. */
export function DeskNotice({ onAdd }: DeskNoticeProps) {
  const { t } = useTranslation();
  const { source, connection } = useDeskReader();
  const number = useDeskNumber();
  if (source !== "service" || number?.known) return null;
  if (!number) {
    if (connection === "connected") return null;
    return (
      <Alert
        tone="info"
        className="mb-4"
        title={t("encoder.find")}
        actions={
          <Button
            size="sm"
            pending={connection === "trying"}
            needsServer={false}
            onClick={() => void checkConnection()}
          >
            <Nfc aria-hidden />
            {t("reader.check")}
          </Button>
        }
      >
        {connection === "broken" ? t("encoder.findFailed") : t("encoder.findText")}
      </Alert>
    );
  }
  return (
    <Alert
      tone="info"
      className="mb-4"
      title={t("encoder.unknownHere")}
      actions={
        onAdd && (
          <Button size="sm" needsServer onClick={() => onAdd(number)}>
            {t("encoder.addThis")}
          </Button>
        )
      }
    >
      {t("encoder.itsNumber")} <bdi className="ltr-run font-mono font-medium">{number.deviceNo}</bdi>
    </Alert>
  );
}
