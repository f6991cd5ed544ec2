import type { PreparedCard } from "@innkey/shared/schemas/access/cards";
import { SPECIAL_CARD_KINDS } from "@innkey/shared/words";
import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Check, Circle, LoaderCircle, Nfc, X } from "lucide-react";
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from "react";
import { withOwnReader } from "@/entities/card-reader/card-reader.ts";
import { usedReaderNumber } from "@/entities/card-reader/card-reader-presence.ts";
import { ReaderFailure } from "@/entities/card-reader/card-reader-status.tsx";
import { cn } from "@/lib/cn.ts";
import { confirm as confirmDialog } from "@/lib/confirm.ts";
import { t, textOf } from "@/lib/i18n.ts";
import { type Failure, failureOf, failureText } from "@/lib/rest.ts";
import { trpc } from "@/lib/trpc.ts";
import { ReaderError } from "@/readers/reader-error.ts";
import { ActionButton } from "@/ui/action/action-button.tsx";
import { Callout } from "@/ui/callout.tsx";
import { Dial } from "@/ui/dial.tsx";
import { DialogPanel } from "@/ui/dialog/panel.tsx";
import { Button } from "@/ui/primitives/button.tsx";
import { WRITE_STEPS, type WriteStep, writeCard } from "./write-card.ts";

export type Progress =
  | { state: "idle" }
  | { state: "running"; step: WriteStep }
  | { state: "failed"; step: WriteStep; error: unknown }
  | { state: "done"; uid: string };

export interface CardWriting {
  progress: Progress;
  busy: boolean;
  /** Numbers of the cards written so far, in order. */
  writtenUids: readonly string[];
  write(): void;
  /** Stops waiting for the reader. It doesn't undo what has already been written to a card. */
  cancel(): void;
}

/** The card that was just written is still on the reader. Writing it again would only revoke what was written. */
class SameCardError extends Error {}

/**
 * With `overwrite`, the card is prepared even if it belongs to another guest or is a staff or master key card. `reader`
 * is the number of the reader that it lies on.
 */
type Prepare = (card: { uid: string; overwrite: boolean; reader: string | undefined }) => Promise<PreparedCard>;

/** Writes one card per call of `write`: the card is prepared, written, read back and confirmed. */
export function useCardWriting(prepare: Prepare, onWritten?: () => void): CardWriting {
  const confirm = useMutation(trpc.cards.confirm.mutationOptions({ meta: { shownInForm: true } }));
  const [progress, setProgress] = useState<Progress>({ state: "idle" });
  const [writtenUids, setWrittenUids] = useState<readonly string[]>([]);
  const running = useRef<AbortController>(undefined);

  useEffect(() => () => running.current?.abort(), []);

  /** Prepares a card. If the card is in use elsewhere, it is overwritten only after the person confirms. */
  async function prepareOrAsk(uid: string): Promise<PreparedCard> {
    try {
      return await prepare({ uid, overwrite: false, reader: usedReaderNumber() });
    } catch (error) {
      const failure = failureOf(error);
      const kind = usedKind(failure);
      if (!kind) throw error;
      const confirmed = await confirmDialog({
        title: t(`card.overwriteTitleOf.${kind}`),
        description: kind === "guest" ? failureText(failure) : t(`card.overwriteTextOf.${kind}`, failure.params),
        confirmLabel: t("card.overwrite"),
        tone: "danger",
      });
      if (!confirmed) throw new ReaderError("cancelled", "write");
      return prepare({ uid, overwrite: true, reader: usedReaderNumber() });
    }
  }

  async function write(): Promise<void> {
    if (running.current) return;
    let step: WriteStep = "find";
    const controller = new AbortController();
    running.current = controller;
    const server = {
      prepare: async (uid: string) => {
        if (writtenUids.includes(uid)) throw new SameCardError();
        return prepareOrAsk(uid);
      },
      confirm: (cardId: number, readBack: string) =>
        confirm.mutateAsync({ cardId, readBack, reader: usedReaderNumber() }),
    };
    const onStep = (next: WriteStep): void => {
      step = next;
      setProgress({ state: "running", step });
    };
    onStep("find");
    try {
      const { signal } = controller;
      const { uid } = await withOwnReader(
        async (reader) => {
          const card = await writeCard(reader, server, onStep, signal);
          void reader.beep().catch(() => undefined);
          return card;
        },
        { signal },
      );
      setWrittenUids((before) => [...before, uid]);
      setProgress({ state: "done", uid });
      onWritten?.();
    } catch (error) {
      setProgress(wasCancelledBeforeWriting(error, step) ? { state: "idle" } : { state: "failed", step, error });
    } finally {
      running.current = undefined;
    }
  }

  return {
    progress,
    busy: progress.state === "running",
    writtenUids,
    write: () => void write(),
    cancel: () => running.current?.abort(),
  };
}

const CARD_KINDS = ["guest", "room", "management", "universal", "special"] as const;

/** Returns what the card is used for at present, if the server asks before it is overwritten. */
function usedKind({ code, params }: Failure): (typeof CARD_KINDS)[number] | undefined {
  if (code !== "card_of_guest" && code !== "card_of_house") return undefined;
  if (SPECIAL_CARD_KINDS.some((kind) => kind === params?.kind)) return "special";
  return CARD_KINDS.find((kind) => kind === params?.kind);
}

/** Checks whether the person cancelled before anything was written to the card. */
function wasCancelledBeforeWriting(error: unknown, step: WriteStep): boolean {
  const isCancelled = error instanceof ReaderError && error.kind === "cancelled";
  return isCancelled && (step === "find" || step === "prepare");
}

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
      <WritingOutcome progress={progress} next={next} notYetOpening={notYetOpening} />
    </div>
  );
}

const currentIndexOf = (progress: Progress): number =>
  progress.state === "running" || progress.state === "failed" ? WRITE_STEPS.indexOf(progress.step) : -1;

function Steps({ progress }: { progress: Progress }) {
  const currentIndex = currentIndexOf(progress);
  return (
    <div className="flex items-center gap-5 rounded-lg bg-sunken p-4">
      <WritingDial progress={progress} className="size-24 max-sm:size-16" />
      <ol className="grid gap-2">
        {WRITE_STEPS.map((step, index) => {
          const isDone = progress.state === "done" || index < currentIndex;
          const isCurrent = index === currentIndex && progress.state === "running";
          const Icon = isDone ? Check : isCurrent ? LoaderCircle : Circle;
          return (
            <li
              key={step}
              aria-current={isCurrent ? "step" : undefined}
              className={cn(
                "flex items-center gap-2.5",
                !isDone && !isCurrent && "text-muted-foreground",
                isCurrent && "font-medium",
              )}
            >
              <Icon
                aria-hidden
                className={cn(
                  "size-4 shrink-0",
                  isDone && "text-vacant",
                  isCurrent && "animate-spin motion-reduce:animate-none",
                )}
              />
              {t(`card.step.${step}`)}
            </li>
          );
        })}
      </ol>
    </div>
  );
}

const TICKS_PER_STEP = 12;

/** The ring around the card on the reader fills with each step. The list beside it says the same in words. */
export function WritingDial({ progress, className }: { progress: Progress; className?: string }) {
  const currentIndex = currentIndexOf(progress);
  const doneSteps = progress.state === "done" ? WRITE_STEPS.length : Math.max(0, currentIndex);
  // A step that is under way shows a third of itself.
  const filled = doneSteps * TICKS_PER_STEP + (progress.state === "running" ? TICKS_PER_STEP / 3 : 0);
  const Icon = progress.state === "done" ? Check : progress.state === "failed" ? X : Nfc;
  return (
    <div aria-hidden className={cn("relative grid shrink-0 place-items-center", className)}>
      <Dial ticks={WRITE_STEPS.length * TICKS_PER_STEP} filled={filled} className="absolute inset-0 size-full" />
      <Icon
        className={cn(
          "size-2/7",
          progress.state === "done" ? "text-vacant" : progress.state === "failed" ? "text-danger" : "text-brass-ink",
        )}
        strokeWidth={1.75}
      />
    </div>
  );
}

/** The result of writing a card, or what to do at the reader. */
export function WritingOutcome({ progress, next, notYetOpening }: WritingPanelProps) {
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
  const hasStartedWriting = step === "write" || step === "confirm";
  if (error instanceof SameCardError) {
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
      {hasStartedWriting && <p>{t("card.tryAgain")}</p>}
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
