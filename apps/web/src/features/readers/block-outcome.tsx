import { Copy } from "lucide-react";
import { copyText } from "@/lib/copy-text.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { bytesOf, spaced } from "@/readers/hex.ts";
import { Alert } from "@/ui/primitives/alert.tsx";
import { IconButton } from "@/ui/primitives/icon-button.tsx";

export type Outcome = { block: number; uid: string; data: string } & (
  | { action: "read" }
  | { action: "write"; checked: boolean }
);

/** Returns the bytes as ASCII characters, with a dot for each byte that is not printable. */
const lettersOf = (hex: string): string =>
  Array.from(bytesOf(hex), (byte) => (byte > 0x20 && byte < 0x7f ? String.fromCharCode(byte) : "·")).join("");

function titleKey(outcome: Outcome) {
  if (outcome.action === "read") return "reader.block.didRead";
  return outcome.checked ? "reader.block.written" : "reader.block.writtenUnchecked";
}

export function BlockOutcome({ outcome }: { outcome: Outcome }) {
  const { t } = useTranslation();
  return (
    <Alert tone="success" title={t(titleKey(outcome))}>
      <p className="text-sm">{t("reader.block.of", { block: outcome.block, uid: spaced(outcome.uid) })}</p>
      <div className="mt-2 flex items-center justify-between gap-2 rounded-md bg-card px-3 py-2">
        <p dir="ltr" className="min-w-0 font-mono break-words">
          {spaced(outcome.data)}
          <span className="block text-sm tracking-widest text-muted-foreground">{lettersOf(outcome.data)}</span>
        </p>
        <IconButton
          icon={Copy}
          size="iconSm"
          label={t("reader.block.copy")}
          onClick={() => void copyText(outcome.data)}
        />
      </div>
    </Alert>
  );
}
