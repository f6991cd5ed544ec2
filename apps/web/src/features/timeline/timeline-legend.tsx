import { useTranslation } from "@/lib/i18n.ts";
import { StatusChip } from "@/ui/primitives/status-chip.tsx";
import { BAR_TONES, toneWord } from "./timeline-words.ts";

/** What the colours mean, and what the keyboard can. */
export function TimelineLegend({ canManage }: { canManage: boolean }) {
  const { t } = useTranslation();
  return (
    <footer className="mt-3 flex flex-wrap items-center gap-x-4 gap-y-2 text-sm text-muted-foreground">
      <ul aria-label={t("timeline.legend")} className="flex flex-wrap gap-1.5">
        {BAR_TONES.map((tone) => (
          <li key={tone}>
            <StatusChip size="sm" tone={tone}>
              {toneWord(t, tone)}
            </StatusChip>
          </li>
        ))}
      </ul>
      {canManage && <p className="pointer-coarse:hidden">{t("timeline.help")}</p>}
    </footer>
  );
}
