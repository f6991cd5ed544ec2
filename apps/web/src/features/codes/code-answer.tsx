import type { CreatePasscodeInput, PasscodeCreated } from "@innkey/shared/schemas/passcodes";
import { Copy, Plus } from "lucide-react";
import { copyText } from "@/lib/copy-text.ts";
import { formatList } from "@/lib/format.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { Alert } from "@/ui/primitives/alert.tsx";
import { Button } from "@/ui/primitives/button.tsx";
import { DialogContent } from "@/ui/primitives/dialog.tsx";
import { CodeDigits } from "./code-digits.tsx";
import { CodeStatus } from "./code-standing.tsx";

type CodeAnswerProps = {
  created: PasscodeCreated;
  asked: CreatePasscodeInput;
  onAnother: () => void;
  onClose: () => void;
};

/** Shows the new door code, to be passed on to the person, and whether its locks have it. */
export function CodeAnswer({ created, asked, onAnother, onClose }: CodeAnswerProps) {
  const { t } = useTranslation();
  const { code, passcodeId, taken: takenRooms } = created;
  return (
    <DialogContent
      title={t("passcode.codeFor", { person: asked.person })}
      description={t(`locks.passcodeType.${asked.type}`)}
      footer={
        <>
          <Button onClick={onAnother}>
            <Plus aria-hidden />
            {t("passcode.another")}
          </Button>
          <Button variant="primary" needsServer={false} onClick={onClose}>
            {t("passcode.done")}
          </Button>
        </>
      }
    >
      <div className="grid grid-cols-1 gap-4">
        <div className="grid justify-items-center gap-4 rounded-lg bg-sunken px-4 py-6">
          <CodeDigits code={code} />
          <Button size="sm" onClick={() => void copyText(code)}>
            <Copy aria-hidden />
            {t("passcode.copy")}
          </Button>
        </div>
        {takenRooms.length > 0 && (
          <Alert tone="warning" title={t("passcode.takenAt", { rooms: formatList(takenRooms) })}>
            {t("passcode.takenText")}
          </Alert>
        )}
        <div>
          <h3 className="font-semibold">{t("passcode.tell")}</h3>
          <p className="text-pretty text-muted-foreground">
            {t("passcode.tellText")} {asked.type === "one_time" && t("passcode.tellOnce")}
          </p>
        </div>
        <CodeStatus passcodeId={passcodeId} />
      </div>
    </DialogContent>
  );
}
