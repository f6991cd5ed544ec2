import { CircleDashed, LoaderCircle, type LucideIcon, PlugZap, Unplug } from "lucide-react";
import { chooseSource, chooseType, useDesk, useDeskReader } from "@/entities/reader/desk-reader.ts";
import type { Connection } from "@/entities/reader/desk-setting.ts";
import { TYPE_PORTS } from "@/entities/reader/reader-words.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { READER_TYPES, type ReaderType, SOURCES, type Source } from "@/readers/reader-type.ts";
import { phoneReader } from "@/readers/web-nfc.ts";
import { RadioInput } from "@/ui/form/radio-input.tsx";
import { StatusChip, type StatusTone } from "@/ui/status-chip.tsx";

const LOOKS: Record<Connection, { tone: StatusTone; icon: LucideIcon }> = {
  untried: { tone: "neutral", icon: CircleDashed },
  trying: { tone: "neutral", icon: LoaderCircle },
  connected: { tone: "success", icon: PlugZap },
  broken: { tone: "danger", icon: Unplug },
};

export function ConnectionChip() {
  const { t } = useTranslation();
  const { connection } = useDeskReader();
  return (
    <span role="status">
      <StatusChip {...LOOKS[connection]}>{t(`reader.connection.${connection}`)}</StatusChip>
    </span>
  );
}

type Choice = ReaderType | Exclude<Source, "service">;

/**
 * Chooses the type of reader at this desk; the choice is stored in this browser. Keyboard readers and phones provide
 * only card numbers.
 */
export function ReaderChoice({ numbersToo = false }: { numbersToo?: boolean }) {
  const { t } = useTranslation();
  const { type, source } = useDeskReader();
  const { busy } = useDesk();
  const offered = SOURCES.filter((one) => numbersToo && (one !== "phone" || phoneReader()));
  const value: Choice = numbersToo && source !== "service" ? source : type;
  return (
    <RadioInput<Choice>
      aria-label={t("reader.which")}
      value={value}
      disabled={busy}
      onChange={(choice) => {
        if (choice === "keyboard" || choice === "phone") chooseSource(choice);
        else {
          chooseSource("service");
          chooseType(choice);
        }
      }}
      options={[
        ...READER_TYPES.map((number) => ({
          value: number,
          label: t("reader.type", { number }),
          hint: t(number === "2" ? "reader.typeTextUntested" : "reader.typeText", { port: TYPE_PORTS[number] }),
        })),
        ...offered.flatMap((one) =>
          one === "service"
            ? []
            : [
                {
                  value: one,
                  label: one === "keyboard" ? t("reader.keyboard") : t("reader.phone"),
                  hint: one === "keyboard" ? t("reader.keyboardText") : t("reader.phoneText"),
                },
              ],
        ),
      ]}
    />
  );
}
