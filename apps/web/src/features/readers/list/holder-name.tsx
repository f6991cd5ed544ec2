import type { CardReaderRow } from "@innkey/shared/schemas/access/card-readers";
import { Building2, UserRound } from "lucide-react";
import { useTranslation } from "@/lib/i18n.ts";

/** Name of the staff member or customer who uses a reader. */
export function HolderName({ holder }: { holder: CardReaderRow["holder"] }) {
  const { t } = useTranslation();
  if (!holder) return <span className="text-muted-foreground">{t("cardReader.nobody")}</span>;
  const Icon = holder.kind === "operator" ? UserRound : Building2;
  return (
    <span className="flex min-w-0 items-center gap-2">
      <Icon aria-label={t(`cardReader.holder.${holder.kind}`)} className="size-4 shrink-0 text-muted-foreground" />
      <span dir="auto" className="name-run truncate">
        {holder.name}
      </span>
    </span>
  );
}
