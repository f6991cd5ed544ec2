import type { CreatePasscodeInput, PasscodeCreated } from "@innkey/shared/schemas/access/passcodes";
import { useQuery } from "@tanstack/react-query";
import { Copy, Plus, RefreshCw } from "lucide-react";
import { DoorsList, isReady, isUnderWay } from "@/entities/credential/doors-chip.tsx";

import { windowText } from "@/entities/lock/lock-words.ts";
import { copyText } from "@/lib/browser/copy-text.ts";
import { formatList } from "@/lib/format.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { useCan, useHotel } from "@/lib/session.ts";
import { trpc } from "@/lib/trpc.ts";
import { ActionButton } from "@/ui/action/action-button.tsx";
import { Callout } from "@/ui/callout.tsx";
import { DialogPanel } from "@/ui/dialog/panel.tsx";
import { Button } from "@/ui/primitives/button.tsx";
import { Skeleton } from "@/ui/primitives/skeleton.tsx";
import { CodeDigits, useTryAgain } from "./use-passcode-acts.tsx";

/** Number of newest codes to search for the one just created. Other desks would have to create as many meanwhile. */
const AMONG = 50;

/** Shows the status of a new code at its doors until each lock has answered. */
function CodeStatus({ passcodeId }: { passcodeId: number }) {
  const { t } = useTranslation();
  const { timeZone } = useHotel();
  const can = useCan();
  const may = can("passcodes.view");
  const again = useTryAgain();
  const { data, isPending } = useQuery(
    trpc.passcodes.list.queryOptions({ state: "live", pageSize: AMONG }, { enabled: may }),
  );
  const passcode = data?.rows.find(({ id }) => id === passcodeId);
  if (!may) return null;
  if (!passcode) return isPending ? <Skeleton className="h-16" /> : null;
  const { type, credentials } = passcode;
  const words =
    type === "one_time"
      ? t("passcode.readyOnce")
      : credentials.every(isReady)
        ? t("passcode.ready")
        : credentials.some(isUnderWay)
          ? t("passcode.onItsWay")
          : t("passcode.someFailed");
  return (
    <section aria-labelledby="code-standing">
      <h3 id="code-standing" className="font-semibold">
        {t("passcode.standing")}
      </h3>
      <p role="status" className="text-pretty text-muted-foreground">
        {words}
      </p>
      <p className="mb-2 text-sm text-muted-foreground">
        {type === "one_time" ? t("passcode.untilUsed") : windowText(passcode.validFrom, passcode.validTo, timeZone)}
      </p>
      <DoorsList credentials={credentials} once={type === "one_time"} />
      {can("locks.retry") && credentials.some(({ state }) => state === "failed") && (
        <ActionButton
          variant="outline"
          size="sm"
          className="mt-2"
          pending={again.trying}
          onClick={() => void again.tryAgain(passcode)}
        >
          <RefreshCw aria-hidden />
          {t("locks.mend.retry_lock")}
        </ActionButton>
      )}
    </section>
  );
}

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
    <DialogPanel
      title={t("passcode.codeFor", { person: asked.person })}
      description={t(`locks.passcodeType.${asked.type}`)}
      footer={
        <>
          <Button variant="outline" onClick={onAnother}>
            <Plus aria-hidden />
            {t("passcode.another")}
          </Button>
          <ActionButton needsServer={false} onClick={onClose}>
            {t("passcode.done")}
          </ActionButton>
        </>
      }
    >
      <div className="grid grid-cols-1 gap-4">
        <div className="grid justify-items-center gap-4 rounded-lg bg-sunken px-4 py-6">
          <CodeDigits code={code} />
          <Button variant="outline" size="sm" onClick={() => void copyText(code)}>
            <Copy aria-hidden />
            {t("passcode.copy")}
          </Button>
        </div>
        {takenRooms.length > 0 && (
          <Callout tone="warning" title={t("passcode.takenAt", { rooms: formatList(takenRooms) })}>
            {t("passcode.takenText")}
          </Callout>
        )}
        <div>
          <h3 className="font-semibold">{t("passcode.tell")}</h3>
          <p className="text-pretty text-muted-foreground">
            {t("passcode.tellText")} {asked.type === "one_time" && t("passcode.tellOnce")}
          </p>
        </div>
        <CodeStatus passcodeId={passcodeId} />
      </div>
    </DialogPanel>
  );
}
