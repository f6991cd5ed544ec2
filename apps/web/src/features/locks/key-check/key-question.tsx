import { useQuery } from "@tanstack/react-query";
import { Keyboard, Nfc } from "lucide-react";
import { useEffect, useId, useMemo } from "react";
import { desk, readCard, useDesk, useDeskReader } from "@/entities/reader/desk-reader.ts";
import { ReaderFailure } from "@/entities/reader/reader-failure.tsx";
import { useTypedNumbers } from "@/entities/reader/use-typed-numbers.ts";
import { boardQuery } from "@/entities/room/board-query.ts";
import type { KeyInQuestion } from "@/entities/stay/stay-actions.tsx";
import { useTranslation } from "@/lib/i18n.ts";
import { Button } from "@/ui/primitives/button.tsx";
import { Combobox } from "@/ui/primitives/combobox.tsx";
import { Label } from "@/ui/primitives/label.tsx";

type KeyQuestionProps = { value: KeyInQuestion; onAsk: (key: KeyInQuestion) => void };

/** Asks which key to check: the card in the guest's hand, or the keys of a room. */
export function KeyQuestion({ value, onAsk }: KeyQuestionProps) {
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
        <Button size="lg" aria-busy={busy} needsServer onClick={() => void readCard()}>
          <Nfc aria-hidden className={busy ? "animate-pulse motion-reduce:animate-none" : undefined} />
          {busy ? t("reader.reading") : t("locks.check.readCard")}
        </Button>
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
