import { Link } from "@tanstack/react-router";
import { Check, Circle, LoaderCircle, Nfc } from "lucide-react";
import { type ReactNode, useLayoutEffect, useRef } from "react";
import { ReaderFailure } from "@/entities/reader/reader-failure.tsx";
import { failureOf, failureText } from "@/lib/api-error.ts";
import { cn } from "@/lib/cn.ts";
import { textOf, useTranslation } from "@/lib/i18n.ts";
import { ReaderError } from "@/readers/reader-error.ts";
import { ActionButton } from "@/ui/action/action-button.tsx";
import { Callout } from "@/ui/callout.tsx";
import { DialogPanel } from "@/ui/dialog/panel.tsx";
import { Button } from "@/ui/primitives/button.tsx";
import { type CardWriting, type Progress, StillThere } from "./use-card-writing.ts";
import { WRITE_STEPS, type WriteStep } from "./write-card.ts";

type WritingPanelProps = {
  progress: Progress;
  /** What to do after the card is written. */
  next?: ReactNode;
  /** Name of the room whose lock doesn't accept the card yet, because the lock was never set up. */
  notYetOpening?: string | undefined;
};

/** Shows the progress of writing a card and its result. */
export function WritingPanel({ progress, next, notYetOpening }: WritingPanelProps) {
  return (
    <div className="grid gap-3">
      <Steps progress={progress} />
      <Outcome progress={progress} next={next} notYetOpening={notYetOpening} />
    </div>
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

function Outcome({ progress, next, notYetOpening }: WritingPanelProps) {
  const { t } = useTranslation();
  const box = useRef<HTMLDivElement>(null);

  // The panel never shrinks, so the button below stays under the pointer when it is pressed again.
  useLayoutEffect(() => {
    const { current } = box;
    if (current) current.style.minHeight = `${current.offsetHeight}px`;
  });

  return (
    <div ref={box} aria-live="polite" className="grid min-h-24 content-start">
      {progress.state === "failed" ? (
        <WritingFailure error={progress.error} step={progress.step} />
      ) : progress.state === "done" && notYetOpening ? (
        <Callout tone="warning" title={t("card.notYet", { rooms: notYetOpening })}>
          <p className="text-pretty">{t("card.notYetText")}</p>
          <p className="mt-1 flex flex-wrap gap-x-4">
            <Link to="/locks" search={{ show: "new" }} className="font-medium underline underline-offset-3">
              {t("card.toLocks")}
            </Link>
            <bdi className="font-mono">{progress.uid}</bdi>
          </p>
          {next && <p className="mt-1">{next}</p>}
        </Callout>
      ) : progress.state === "done" ? (
        <Callout tone="success" title={t("card.done")}>
          <bdi className="font-mono">{progress.uid}</bdi>
          {next && <p>{next}</p>}
        </Callout>
      ) : (
        <p className="flex gap-3 rounded-md px-3.5 py-3 text-muted-foreground">
          <Nfc aria-hidden className="mt-0.5 size-4 shrink-0" />
          {progress.state === "running" ? t("card.keep") : t("card.lay")}
        </p>
      )}
    </div>
  );
}

/**
 * Shows a failure of the reader or the server. If data may already be on the card, it says that the card must be
 * written again.
 */
function WritingFailure({ error, step }: { error: unknown; step: WriteStep }) {
  const { t } = useTranslation();
  const begun = step === "write" || step === "confirm";
  if (error instanceof StillThere) {
    return (
      <Callout tone="warning" title={t("card.sameCard")}>
        <p>{t("card.sameCardText")}</p>
      </Callout>
    );
  }
  if (error instanceof ReaderError) {
    if (error.kind !== "cancelled") return <ReaderFailure failure={error} />;
    return (
      <Callout tone="warning" title={t("reader.error.cancelled")}>
        <p>{t("card.tryAgain")}</p>
      </Callout>
    );
  }
  const failure = failureOf(error);
  const fields = Object.values(failure.fields ?? {});
  return (
    <Callout tone="danger" title={failureText(failure)}>
      {fields.map(({ key, params }) => (
        <p key={key}>{textOf(key, params, "validation.unknown")}</p>
      ))}
      {begun && <p>{t("card.tryAgain")}</p>}
    </Callout>
  );
}

type WritingDialogProps = {
  title: ReactNode;
  description: ReactNode;
  writing: CardWriting;
  /** Label of the button that writes. */
  label: string;
  onClose: () => void;
  children: ReactNode;
};

/** Content of a dialog that writes a card. While writing, only Cancel, Escape and the close button end it. */
export function WritingDialogContent({ title, description, writing, label, onClose, children }: WritingDialogProps) {
  const { t } = useTranslation();
  const button = useRef<HTMLButtonElement>(null);
  const { busy, progress } = writing;
  return (
    <DialogPanel
      title={title}
      description={description}
      onInteractOutside={(event) => busy && event.preventDefault()}
      onOpenAutoFocus={(event) => {
        event.preventDefault();
        button.current?.focus();
      }}
      footer={
        <>
          <Button variant="outline" onClick={onClose}>
            {progress.state === "done" ? t("common.close") : t("common.cancel")}
          </Button>
          <ActionButton ref={button} pending={busy} onClick={writing.write}>
            <Nfc aria-hidden />
            {label}
          </ActionButton>
        </>
      }
    >
      <div className="grid grid-cols-1 gap-4">{children}</div>
    </DialogPanel>
  );
}
