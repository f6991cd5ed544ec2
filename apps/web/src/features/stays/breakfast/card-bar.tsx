import { Keyboard, Nfc } from "lucide-react";
import { useEffect } from "react";
import { desk, readCard, useDesk, useDeskReader, useTypedNumbers } from "@/entities/reader/desk-reader.ts";
import { ReaderFailure } from "@/entities/reader/reader-failure.tsx";
import { api } from "@/lib/api.ts";
import { failureOf, failureText } from "@/lib/api-error.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { toast } from "@/lib/toast.ts";
import { ActionButton } from "@/ui/action/action-button.tsx";
import { Callout } from "@/ui/callout.tsx";

/** Button that reads a room card. A reader that acts as a keyboard doesn't need it. */
export function CardButton() {
  const { t } = useTranslation();
  const { source } = useDeskReader();
  const { busy } = useDesk();
  const typed = source === "keyboard";
  useTypedNumbers(typed);
  useBreakfastCards();
  if (typed) {
    return (
      <span className="inline-flex items-center gap-2 text-sm text-muted-foreground">
        <Keyboard aria-hidden className="size-4" />
        {t("breakfast.scanHint")}
      </span>
    );
  }
  return (
    <ActionButton
      variant="outline"
      aria-busy={busy}
      needsServer={!busy}
      onClick={() => (busy ? desk.cancel() : void readCard())}
    >
      <Nfc aria-hidden className={busy ? "animate-pulse motion-reduce:animate-none" : undefined} />
      {busy ? t("reader.reading") : t("breakfast.scan")}
    </ActionButton>
  );
}

export function CardTrouble() {
  const { t } = useTranslation();
  const { failure, warning } = useDesk();
  if (failure) return <ReaderFailure failure={failure} />;
  return warning ? <Callout tone="warning" title={t(`reader.warning.${warning}`)} /> : null;
}

/** While the page is open, marks the guests of a card's stay as served when the card is read, and shows a toast. */
function useBreakfastCards(): void {
  const { t } = useTranslation();
  useEffect(
    () =>
      desk.onCard(async ({ uid }) => {
        try {
          const { roomName, party, ticked } = await api.breakfast.tickByCard.mutate({ number: uid });
          if (roomName === null) toast.info(t("breakfast.cardNobody"));
          else if (party === 0) toast.error(t("breakfast.cardNone", { room: roomName }));
          else if (ticked === 0) toast.info(t("breakfast.cardAgain", { room: roomName }));
          else toast.success(t("breakfast.cardTicked", { room: roomName, count: ticked }));
        } catch (error) {
          toast.error(failureText(failureOf(error)));
        }
      }),
    [t],
  );
}
