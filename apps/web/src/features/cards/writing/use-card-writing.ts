import type { PreparedCard } from "@innkey/shared/schemas/access/cards";
import { useMutation } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { withReader } from "@/entities/reader/desk-reader.ts";
import { failureOf, failureText } from "@/lib/api-error.ts";
import { confirm as confirmDialog } from "@/lib/confirm.ts";
import { useTranslation } from "@/lib/i18n.ts";
import type { Failure } from "@/lib/rest.ts";
import { trpc } from "@/lib/trpc.ts";
import { ReaderError } from "@/readers/reader-error.ts";
import { type WriteStep, writeCard } from "./write-card.ts";

export type Progress =
  | { state: "idle" }
  | { state: "running"; step: WriteStep }
  | { state: "failed"; step: WriteStep; error: unknown }
  | { state: "done"; uid: string };

export interface CardWriting {
  progress: Progress;
  busy: boolean;
  /** Numbers of the cards written so far, in order. */
  written: readonly string[];
  write(): void;
  /** Stops waiting for the reader. It doesn't undo what has already been written to a card. */
  cancel(): void;
}

/** The last written card is still on the reader. Writing it again would only revoke the card it has just become. */
export class StillThere extends Error {}

/** With `overwrite`, the card is prepared even if it belongs to another guest or is a staff or master key card. */
type Prepare = (uid: string, overwrite: boolean) => Promise<PreparedCard>;

/** Writes one card per call of `write`: the card is prepared, written, read back and confirmed. */
export function useCardWriting(prepare: Prepare, onWritten?: () => void): CardWriting {
  const { t } = useTranslation();
  const confirm = useMutation(trpc.cards.confirm.mutationOptions({ meta: { shownInForm: true } }));
  const [progress, setProgress] = useState<Progress>({ state: "idle" });
  const [written, setWritten] = useState<readonly string[]>([]);
  const running = useRef<AbortController>(undefined);

  useEffect(() => () => running.current?.abort(), []);

  /** Prepares a card. If the card is in use elsewhere, it is overwritten only after the person confirms. */
  async function prepareAsking(uid: string): Promise<PreparedCard> {
    try {
      return await prepare(uid, false);
    } catch (error) {
      const failure = failureOf(error);
      const kind = liveKind(failure);
      if (!kind) throw error;
      const sure = await confirmDialog({
        title: t(`card.overwriteTitleOf.${kind}`),
        description: kind === "guest" ? failureText(failure) : t(`card.overwriteTextOf.${kind}`, failure.params),
        confirmLabel: t("card.overwrite"),
        tone: "danger",
      });
      if (!sure) throw new ReaderError("cancelled", "write");
      return prepare(uid, true);
    }
  }

  async function write(): Promise<void> {
    if (running.current) return;
    let step: WriteStep = "find";
    const own = new AbortController();
    running.current = own;
    const server = {
      prepare: async (uid: string) => {
        if (written.includes(uid)) throw new StillThere();
        return prepareAsking(uid);
      },
      confirm: (cardId: number, readBack: string) => confirm.mutateAsync({ cardId, readBack }),
    };
    const onStep = (next: WriteStep): void => {
      step = next;
      setProgress({ state: "running", step });
    };
    try {
      const { uid } = await withReader(async (reader) => {
        const card = await writeCard(reader, server, onStep, own.signal);
        void reader.beep().catch(() => undefined);
        return card;
      });
      setWritten((before) => [...before, uid]);
      setProgress({ state: "done", uid });
      onWritten?.();
    } catch (error) {
      setProgress(nothingHappened(error, step) ? { state: "idle" } : { state: "failed", step, error });
    } finally {
      running.current = undefined;
    }
  }

  return {
    progress,
    busy: progress.state === "running",
    written,
    write: () => void write(),
    cancel: () => running.current?.abort(),
  };
}

const LIVE_KINDS = ["guest", "room", "management", "universal"] as const;

/** Returns what the card is used for at present, if the server asks before it is overwritten. */
function liveKind({ code, params }: Failure): (typeof LIVE_KINDS)[number] | undefined {
  if (code !== "card_of_guest" && code !== "card_of_house") return undefined;
  return LIVE_KINDS.find((kind) => kind === params?.kind);
}

/** Checks whether the person cancelled before anything was written to the card. */
function nothingHappened(error: unknown, step: WriteStep): boolean {
  const cancelled = error instanceof ReaderError && error.kind === "cancelled";
  return cancelled && (step === "find" || step === "prepare");
}
