import type { StayDetail } from "@innkey/shared/schemas/stays";
import { useMutation } from "@tanstack/react-query";
import { Check, Circle, LoaderCircle, Nfc } from "lucide-react";
import { useEffect, useId, useRef, useState } from "react";
import { Alert } from "@/components/ui/alert.tsx";
import { Button } from "@/components/ui/button.tsx";
import { Checkbox } from "@/components/ui/checkbox.tsx";
import { DialogContent } from "@/components/ui/dialog.tsx";
import { withReader } from "@/features/readers/desk-reader.ts";
import { ReaderFailure } from "@/features/readers/reader-failure.tsx";
import { failureOf, failureText } from "@/lib/api-error.ts";
import { cn } from "@/lib/cn.ts";
import { formatDateTime } from "@/lib/format.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { useHotel } from "@/lib/session.ts";
import { trpc } from "@/lib/trpc.ts";
import { ReaderError } from "@/readers/reader-error.ts";
import { refreshEverything } from "../stays/refresh.ts";
import { StayDialog } from "../stays/stay-dialog.tsx";
import { StayFacts } from "../stays/stay-facts.tsx";
import { WRITE_STEPS, type WriteStep, writeCard } from "./write-card.ts";

type Progress =
  | { state: "idle" }
  | { state: "running"; step: WriteStep }
  | { state: "failed"; step: WriteStep; error: unknown }
  | { state: "done"; uid: string };

/** A room card for a guest in the house: put it on the reader, press once, hand it over. */
export function CardDialog({ stayId, onClose }: { stayId: number; onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <StayDialog stayId={stayId} title={t("card.newCard")} onClose={onClose}>
      {(stay) => <CardContent stay={stay} onClose={onClose} />}
    </StayDialog>
  );
}

function CardContent({ stay, onClose }: { stay: StayDetail; onClose: () => void }) {
  const { t } = useTranslation();
  const { timeZone } = useHotel();
  const fieldId = useId();
  const [disableOldCards, setDisableOldCards] = useState(false);
  const [progress, setProgress] = useState<Progress>({ state: "idle" });
  const running = useRef<AbortController>(undefined);
  const meta = { shownInForm: true };
  const prepare = useMutation(trpc.cards.prepare.mutationOptions({ meta }));
  const confirm = useMutation(trpc.cards.confirm.mutationOptions({ meta }));
  const busy = progress.state === "running";

  useEffect(() => () => running.current?.abort(), []);

  async function write(): Promise<void> {
    let step: WriteStep = "find";
    const own = new AbortController();
    running.current = own;
    const server = {
      prepare: (uid: string) => prepare.mutateAsync({ stayId: stay.id, uid, disableOldCards }),
      confirm: (cardId: number, readBack: string) => confirm.mutateAsync({ cardId, readBack }),
    };
    const onStep = (next: WriteStep): void => {
      step = next;
      setProgress({ state: "running", step });
    };
    try {
      const card = await withReader(async (reader) => {
        const written = await writeCard(reader, server, onStep, own.signal);
        void reader.beep().catch(() => undefined);
        return written;
      });
      setProgress({ state: "done", uid: card.uid });
      // A second card for the same room must not end the first one.
      setDisableOldCards(false);
    } catch (error) {
      setProgress({ state: "failed", step, error });
    } finally {
      refreshEverything();
    }
  }

  return (
    <DialogContent
      title={t("card.newCardFor", { room: stay.room.name })}
      description={t("card.newCardText", { until: formatDateTime(stay.endsAt, timeZone) })}
      footer={
        <>
          <Button onClick={onClose}>{progress.state === "done" ? t("common.close") : t("common.cancel")}</Button>
          <Button variant="primary" pending={busy} onClick={() => void write()}>
            <Nfc aria-hidden />
            {progress.state === "done" ? t("card.another") : t("card.write")}
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        <StayFacts stay={stay} />
        <div className="flex items-start gap-2.5">
          <Checkbox
            id={fieldId}
            value={disableOldCards}
            onChange={setDisableOldCards}
            disabled={busy}
            aria-describedby={`${fieldId}-hint`}
          />
          <div>
            <label htmlFor={fieldId}>{t("card.disableOld")}</label>
            <p id={`${fieldId}-hint`} className="text-sm text-muted-foreground">
              {t("card.disableOldHint")}
            </p>
          </div>
        </div>
        <Steps progress={progress} />
        <div aria-live="polite" className="empty:hidden">
          {progress.state === "failed" && <Failure error={progress.error} written={progress.step === "confirm"} />}
          {progress.state === "done" && (
            <Alert tone="success" title={t("card.done")}>
              <bdi className="font-mono">{progress.uid}</bdi>
            </Alert>
          )}
        </div>
      </div>
    </DialogContent>
  );
}

function Steps({ progress }: { progress: Progress }) {
  const { t } = useTranslation();
  const at = progress.state === "running" || progress.state === "failed" ? WRITE_STEPS.indexOf(progress.step) : -1;
  return (
    <ol className="grid gap-2 rounded-lg bg-sunken p-4">
      {WRITE_STEPS.map((step, index) => {
        const done = progress.state === "done" || index < at;
        const now = index === at && progress.state === "running";
        const Icon = done ? Check : now ? LoaderCircle : Circle;
        return (
          <li
            key={step}
            aria-current={now ? "step" : undefined}
            className={cn("flex items-center gap-2.5", !done && !now && "text-muted-foreground", now && "font-medium")}
          >
            <Icon
              aria-hidden
              className={cn(
                "size-4 shrink-0",
                done && "text-success",
                now && "animate-spin motion-reduce:animate-none",
              )}
            />
            {t(`card.step.${step}`)}
          </li>
        );
      })}
    </ol>
  );
}

/** A reader's failure or the server's; after the write, that the card may be written in part. */
function Failure({ error, written }: { error: unknown; written: boolean }) {
  const { t } = useTranslation();
  if (error instanceof ReaderError) {
    return error.kind === "cancelled" ? null : <ReaderFailure failure={error} />;
  }
  return (
    <Alert tone="danger" title={failureText(failureOf(error))}>
      {written && <p>{t("card.tryAgain")}</p>}
    </Alert>
  );
}
