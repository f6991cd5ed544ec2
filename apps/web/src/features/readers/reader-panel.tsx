import { CircleQuestionMark, Keyboard, Nfc } from "lucide-react";
import { useEffect, useState } from "react";
import { checkConnection, desk, readCard, useDesk, useDeskReader } from "@/entities/reader/desk-reader.ts";
import type { Connection } from "@/entities/reader/desk-setting.ts";
import { ReaderFailure } from "@/entities/reader/reader-failure.tsx";
import { useTypedNumbers } from "@/entities/reader/use-typed-numbers.ts";
import { useStayActions } from "@/entities/stay/stay-actions.tsx";
import { useTranslation } from "@/lib/i18n.ts";
import { useCan } from "@/lib/session.ts";
import { type LoopbackPermission, loopbackPermission, surroundings } from "@/readers/loopback-permission.ts";
import { EmptyState } from "@/ui/empty-state.tsx";
import { Alert } from "@/ui/primitives/alert.tsx";
import { Button } from "@/ui/primitives/button.tsx";
import { CardNumber } from "./card-number.tsx";
import { FirstUse } from "./first-use.tsx";
import { useCardLookUp } from "./use-card-look-up.ts";

/** Reads a card's number and shows the result. */
export function ReaderPanel({ onFound }: { onFound?: () => void }) {
  const { t } = useTranslation();
  const { source, type, connection } = useDeskReader();
  const { busy, card, failure, warning } = useDesk();
  const permission = usePermission();
  const { checkKey } = useStayActions();
  const seesLocks = useCan()("locks.view");
  const typed = source === "keyboard";
  const service = source === "service";
  useTypedNumbers(typed);
  useCardLookUp(onFound);

  useEffect(() => {
    // If the browser doesn't need to ask for permission, we check at once whether a reader is present.
    if (service && type && connection === "untried" && (permission === "exempt" || permission === "granted"))
      void checkConnection();
  }, [service, type, connection, permission]);

  return (
    <div className="grid gap-4">
      {service && permission && !failure && <FirstUse permission={permission} />}
      {typed ? (
        <p className="flex items-center gap-3 rounded-md bg-sunken px-3.5 py-3" role="status">
          <Keyboard aria-hidden className="size-5 shrink-0 text-muted-foreground" />
          {t("reader.keyboardReady")}
        </p>
      ) : (
        <div className="flex flex-wrap gap-2">
          {/* The button stays enabled while reading, so that a second press gets a response. */}
          <Button variant="primary" size="lg" className="flex-1" aria-busy={busy} onClick={() => void readCard()}>
            <Nfc aria-hidden className={busy ? "animate-pulse motion-reduce:animate-none" : undefined} />
            {busy ? t("reader.reading") : t("reader.read")}
          </Button>
          {busy && (
            <Button size="lg" onClick={() => desk.cancel()}>
              {t("common.cancel")}
            </Button>
          )}
        </div>
      )}
      {warning && <Alert tone="warning" title={t(`reader.warning.${warning}`)} />}
      {failure && <ReaderFailure failure={failure} />}
      <div aria-live="polite">
        {card ? (
          <div className="grid gap-3">
            <CardNumber card={card} />
            {seesLocks && (
              <Button
                needsServer
                onClick={() => {
                  onFound?.();
                  checkKey({ number: card.uid });
                }}
              >
                <CircleQuestionMark aria-hidden />
                {t("nav.keyCheck")}
              </Button>
            )}
          </div>
        ) : (
          <EmptyState icon={Nfc} title={t("reader.none")} description={t("reader.noneText")} className="py-8" />
        )}
      </div>
    </div>
  );
}

/** Returns whether the browser lets this page connect to the reader. It checks again after each attempt. */
function usePermission(): LoopbackPermission | undefined {
  const { connection } = useDeskReader();
  const [permission, setPermission] = useState<LoopbackPermission>();
  useEffect(() => {
    const requested: Connection = connection;
    let current = true;
    if (requested !== "trying")
      void loopbackPermission(surroundings()).then((found) => {
        if (current) setPermission(found);
      });
    return () => {
      current = false;
    };
  }, [connection]);
  return permission;
}
