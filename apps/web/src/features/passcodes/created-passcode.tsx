import type { CreatePasscodeInput, PasscodeCreated, PasscodeRow } from "@innkey/shared/schemas/access/passcodes";
import { useQuery } from "@tanstack/react-query";
import { Copy, Plus, Printer, RefreshCw } from "lucide-react";
import { useCallback, useState } from "react";
import { DoorsList, isReady, isUnderWay } from "@/entities/credential/credential-state.tsx";
import { windowText } from "@/entities/lock/lock-labels.ts";
import { copyText } from "@/lib/browser/copy-text.ts";
import { formatList } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import { useCan, useHotel } from "@/lib/session.ts";
import { trpc } from "@/lib/trpc.ts";
import { ActionButton } from "@/ui/action/action-button.tsx";
import { Callout } from "@/ui/callout.tsx";
import { DialogPanel } from "@/ui/dialog/panel.tsx";
import { Button } from "@/ui/primitives/button.tsx";
import { Skeleton } from "@/ui/primitives/skeleton.tsx";
import { PrintSheet, usePrinting } from "@/ui/printing.tsx";
import { HandOverCode } from "./hand-over-code.tsx";
import { CodeDigits, useRetryPasscode } from "./use-passcode-acts.tsx";

/** Number of newest codes among which the created one is searched; other desks rarely create as many meanwhile. */
const MAX_SEARCHED = 50;

/** Reads a new code until each lock has answered; without the permission to view codes there is none. */
function useNewPasscode(passcodeId: number): { passcode: PasscodeRow | undefined; isPending: boolean } {
  const canView = useCan()("passcodes.view");
  const { data, isPending } = useQuery(
    trpc.passcodes.list.queryOptions({ state: "live", pageSize: MAX_SEARCHED }, { enabled: canView }),
  );
  return { passcode: data?.rows.find(({ id }) => id === passcodeId), isPending: canView && isPending };
}

const isReadyToSend = ({ type, credentials }: PasscodeRow): boolean =>
  type === "one_time" || credentials.every(isReady);

function validityText({ type, validFrom, validTo }: PasscodeRow, timeZone: string): string {
  return type === "one_time" ? t("passcode.untilUsed") : windowText(validFrom, validTo, timeZone);
}

/** Shows the status of a new code at its doors. */
function PasscodeStatus({ passcode }: { passcode: PasscodeRow }) {
  const { timeZone } = useHotel();
  const can = useCan();
  const retry = useRetryPasscode();
  const { type, credentials } = passcode;
  const statusText =
    type === "one_time"
      ? t("passcode.readyOnce")
      : credentials.every(isReady)
        ? t("passcode.ready")
        : credentials.some(isUnderWay)
          ? t("passcode.onItsWay")
          : t("passcode.someFailed");
  return (
    <section aria-labelledby="passcode-status">
      <h3 id="passcode-status" className="font-semibold">
        {t("passcode.standing")}
      </h3>
      <p role="status" className="text-pretty text-muted-foreground">
        {statusText}
      </p>
      <p className="mb-2 text-sm text-muted-foreground">{validityText(passcode, timeZone)}</p>
      <DoorsList credentials={credentials} isOneTime={type === "one_time"} />
      {can("locks.retry") && credentials.some(({ state }) => state === "failed") && (
        <ActionButton
          variant="outline"
          size="sm"
          className="mt-2"
          pending={retry.isRetrying}
          onClick={() => void retry.retryPasscode(passcode)}
        >
          <RefreshCw aria-hidden />
          {t("locks.mend.retry_lock")}
        </ActionButton>
      )}
    </section>
  );
}

/** A slip of paper with the code, for the person who gets it. */
function CodeSlip({ passcode, code }: { passcode: PasscodeRow; code: string }) {
  const { name, timeZone } = useHotel();
  return (
    <PrintSheet>
      <section className="mx-auto max-w-sm rounded-lg border border-black p-6 text-center">
        <p className="text-sm">{name}</p>
        <h1 className="mt-3 text-lg font-semibold">{t("passcode.codeFor", { person: passcode.person })}</h1>
        <p className="mt-1">{t("passcode.slipDoors", { rooms: passcode.roomNames })}</p>
        <div className="my-6">
          <CodeDigits code={code} />
        </div>
        <p>{validityText(passcode, timeZone)}</p>
        <p className="mt-3 text-sm">{t("passcode.tellText")}</p>
      </section>
    </PrintSheet>
  );
}

type CreatedPasscodeProps = {
  created: PasscodeCreated;
  input: CreatePasscodeInput;
  /** Phone number or mail address of the person, if known. */
  address: string;
  onAnother: () => void;
  onClose: () => void;
};

/** Shows the new door code, to be passed on to the person, and whether its locks have it. */
export function CreatedPasscode({ created, input, address, onAnother, onClose }: CreatedPasscodeProps) {
  const { code, passcodeId, taken: takenRooms } = created;
  const { passcode, isPending } = useNewPasscode(passcodeId);
  const [isPrinting, setIsPrinting] = useState(false);
  usePrinting(
    isPrinting,
    useCallback(() => setIsPrinting(false), []),
  );
  return (
    <DialogPanel
      title={t("passcode.codeFor", { person: input.person })}
      description={t(`locks.passcodeType.${input.type}`)}
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
          <div className="flex flex-wrap justify-center gap-2">
            <Button variant="outline" size="sm" onClick={() => void copyText(code)}>
              <Copy aria-hidden />
              {t("passcode.copy")}
            </Button>
            <Button variant="outline" size="sm" disabled={!passcode} onClick={() => setIsPrinting(true)}>
              <Printer aria-hidden />
              {t("passcode.print")}
            </Button>
          </div>
        </div>
        {takenRooms.length > 0 && (
          <Callout tone="warning" title={t("passcode.takenAt", { rooms: formatList(takenRooms) })}>
            {t("passcode.takenText")}
          </Callout>
        )}
        <div>
          <h3 className="font-semibold">{t("passcode.tell")}</h3>
          <p className="text-pretty text-muted-foreground">
            {t("passcode.tellText")} {input.type === "one_time" && t("passcode.tellOnce")}
          </p>
        </div>
        {passcode && <HandOverCode passcodeId={passcodeId} address={address} isReady={isReadyToSend(passcode)} />}
        {passcode ? <PasscodeStatus passcode={passcode} /> : isPending && <Skeleton className="h-16" />}
        {isPrinting && passcode && <CodeSlip passcode={passcode} code={code} />}
      </div>
    </DialogPanel>
  );
}
