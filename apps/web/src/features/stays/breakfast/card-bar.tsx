import { Keyboard, Nfc } from "lucide-react";
import { desk, readCard, useDesk, useDeskReader } from "@/entities/reader/desk-reader.ts";
import { ReaderFailure } from "@/entities/reader/reader-failure.tsx";
import { useTypedNumbers } from "@/entities/reader/use-typed-numbers.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { Alert } from "@/ui/primitives/alert.tsx";
import { Button } from "@/ui/primitives/button.tsx";
import { useBreakfastCards } from "./use-breakfast-cards.ts";

/** The button that reads a room card; a reader that types needs none. */
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
    <Button aria-busy={busy} needsServer={!busy} onClick={() => (busy ? desk.cancel() : void readCard())}>
      <Nfc aria-hidden className={busy ? "animate-pulse motion-reduce:animate-none" : undefined} />
      {busy ? t("reader.reading") : t("breakfast.scan")}
    </Button>
  );
}

/** What went wrong at the reader. */
export function CardTrouble() {
  const { t } = useTranslation();
  const { failure, warning } = useDesk();
  if (failure) return <ReaderFailure failure={failure} />;
  return warning ? <Alert tone="warning" title={t(`reader.warning.${warning}`)} /> : null;
}
