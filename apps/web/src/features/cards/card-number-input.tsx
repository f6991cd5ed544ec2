import { Nfc } from "lucide-react";
import { type ComponentProps, useEffect, useRef, useState } from "react";
import { readCard, useDesk, useDeskReader } from "@/entities/reader/desk-reader.ts";
import { ReaderFailure } from "@/entities/reader/reader-failure.tsx";
import { useTranslation } from "@/lib/i18n.ts";
import { Button } from "@/ui/primitives/button.tsx";
import { Input } from "@/ui/primitives/input.tsx";

type CardNumberInputProps = Omit<ComponentProps<typeof Input>, "value" | "onChange"> & {
  value: string;
  onChange: (number: string) => void;
};

/**
 * Input for a card's number, which is read by the desk's card reader, by a reader that acts as a keyboard, or typed by
 * hand.
 */
export function CardNumberInput({ value, onChange, ...props }: CardNumberInputProps) {
  const { t } = useTranslation();
  const { source } = useDeskReader();
  const { busy, card, failure, warning } = useDesk();
  const [isAsked, setIsAsked] = useState(false);
  const take = useRef(onChange);
  take.current = onChange;
  const openedAt = useRef(Date.now());

  useEffect(() => {
    if (card && card.at >= openedAt.current) take.current(card.uid);
  }, [card]);

  return (
    <div className="grid gap-2">
      <div className="flex gap-2">
        <div className="min-w-0 flex-1">
          <Input
            {...props}
            value={value}
            onChange={(event) => onChange(event.target.value)}
            dir="ltr"
            className="font-mono rtl:text-end"
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
          />
        </div>
        {source !== "keyboard" && (
          <Button
            pending={busy}
            needsServer={false}
            onClick={() => {
              setIsAsked(true);
              void readCard();
            }}
            className="h-10 lg:h-9"
          >
            <Nfc aria-hidden />
            {t("reader.read")}
          </Button>
        )}
      </div>
      {source === "keyboard" && <p className="text-sm text-muted-foreground">{t("reader.keyboardReady")}</p>}
      {isAsked && failure && <ReaderFailure failure={failure} />}
      {isAsked && warning === "impatient" && (
        <p className="text-sm text-muted-foreground">{t("reader.warning.impatient")}</p>
      )}
    </div>
  );
}
