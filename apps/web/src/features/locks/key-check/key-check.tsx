import type { KeyVerdict } from "@innkey/shared/schemas/access/locks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Keyboard, Nfc } from "lucide-react";
import { useEffect, useId, useMemo, useState } from "react";
import { desk, readCard, useDesk, useDeskReader, useTypedNumbers } from "@/entities/reader/desk-reader.ts";
import { ReaderFailure } from "@/entities/reader/reader-failure.tsx";
import { boardQuery } from "@/entities/room/board-query.ts";
import type { KeyInQuestion } from "@/entities/stay/stay-actions.tsx";
import { BY_TIME_MILLISECONDS } from "@/lib/events/topics.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { trpc } from "@/lib/trpc.ts";
import { ActionButton } from "@/ui/action/action-button.tsx";
import { DialogPanel } from "@/ui/dialog/panel.tsx";
import { ErrorState } from "@/ui/error-state.tsx";
import { Combobox } from "@/ui/form/combobox.tsx";
import { Dialog } from "@/ui/primitives/dialog.tsx";
import { Label } from "@/ui/primitives/label.tsx";
import { Skeleton } from "@/ui/primitives/skeleton.tsx";
import { KeyAnswer } from "./key-answer.tsx";

type KeyQuestionProps = { value: KeyInQuestion; onAsk: (key: KeyInQuestion) => void };

/** Asks which key to check: the card in the guest's hand, or the keys of a room. */
function KeyQuestion({ value, onAsk }: KeyQuestionProps) {
  const { t } = useTranslation();
  const fieldId = useId();
  const { source } = useDeskReader();
  const { busy, failure } = useDesk();
  const { data: board } = useQuery(boardQuery);
  useTypedNumbers(source === "keyboard");
  useEffect(() => desk.onCard(({ uid }) => onAsk({ number: uid })), [onAsk]);
  const rooms = useMemo(
    () =>
      (board?.rooms ?? []).map(({ id, name, remarkName, current }) => ({
        value: id,
        label: name,
        detail: current?.guestName ?? remarkName,
        keywords: [remarkName, current?.guestName ?? ""],
      })),
    [board],
  );
  return (
    <div className="grid gap-4">
      {source === "keyboard" ? (
        <p className="flex items-center gap-3 rounded-md bg-sunken px-3.5 py-3" role="status">
          <Keyboard aria-hidden className="size-5 shrink-0 text-muted-foreground" />
          {t("reader.keyboardReady")}
        </p>
      ) : (
        <ActionButton variant="outline" size="lg" aria-busy={busy} onClick={() => void readCard()}>
          <Nfc aria-hidden className={busy ? "animate-pulse motion-reduce:animate-none" : undefined} />
          {busy ? t("reader.reading") : t("locks.check.readCard")}
        </ActionButton>
      )}
      {failure && <ReaderFailure failure={failure} />}
      <div className="grid gap-1.5">
        <Label htmlFor={fieldId}>{t("locks.check.orRoom")}</Label>
        <Combobox
          id={fieldId}
          options={rooms}
          value={value && "roomId" in value ? value.roomId : null}
          onChange={(roomId) => roomId !== null && onAsk({ roomId })}
        />
      </div>
    </div>
  );
}

/** Explains why a key doesn't work and how to solve it. Without a given key, it first asks which one. */
export function KeyCheck({ of, onClose }: { of: KeyInQuestion; onClose: () => void }) {
  const { t } = useTranslation();
  const [isAsking, setIsAsking] = useState(of);
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogPanel title={t("nav.keyCheck")} description={of ? undefined : t("locks.check.text")}>
        <div className="grid gap-5">
          {!of && <KeyQuestion value={isAsking} onAsk={setIsAsking} />}
          {isAsking && <Answered key={JSON.stringify(isAsking)} of={isAsking} onClose={onClose} />}
        </div>
      </DialogPanel>
    </Dialog>
  );
}

function Answered({ of, onClose }: { of: NonNullable<KeyInQuestion>; onClose: () => void }) {
  const explained = useQuery(
    trpc.locks.explain.queryOptions(of, {
      staleTime: 0,
      refetchInterval: BY_TIME_MILLISECONDS,
      placeholderData: keepPreviousData,
    }),
  );
  const verdict: KeyVerdict | undefined = explained.data;
  return (
    <div aria-live="polite" className="min-h-36">
      {verdict ? (
        <KeyAnswer verdict={verdict} onRetried={() => void explained.refetch()} onClose={onClose} />
      ) : explained.error ? (
        <ErrorState error={explained.error} onRetry={() => void explained.refetch()} className="py-6" />
      ) : (
        <Skeleton className="h-36" />
      )}
    </div>
  );
}
