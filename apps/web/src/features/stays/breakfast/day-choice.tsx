import { addDays } from "@innkey/shared/hotel-time";
import { ChevronLeft, ChevronRight } from "lucide-react";
import { useTranslation } from "@/lib/i18n.ts";
import { Button } from "@/ui/primitives/button.tsx";
import { IconButton } from "@/ui/primitives/icon-button.tsx";
import { Input } from "@/ui/primitives/input.tsx";

type DayChoiceProps = { date: string | undefined; today: string | undefined; onChange: (date: string) => void };

/** The morning that is looked at. */
export function DayChoice({ date, today, onChange }: DayChoiceProps) {
  const { t } = useTranslation();
  const valid = date !== undefined && /^\d{4}-\d\d-\d\d$/.test(date);
  return (
    <div className="flex items-center gap-1">
      <IconButton
        icon={ChevronLeft}
        flip
        label={t("breakfast.previous")}
        disabled={!valid}
        onClick={() => valid && onChange(addDays(date, -1))}
      />
      <Input
        type="date"
        aria-label={t("breakfast.of")}
        value={date ?? ""}
        className="w-40"
        onChange={(event) => event.target.value && onChange(event.target.value)}
      />
      <IconButton
        icon={ChevronRight}
        flip
        label={t("breakfast.next")}
        disabled={!valid}
        onClick={() => valid && onChange(addDays(date, 1))}
      />
      {today && date !== today && <Button onClick={() => onChange(today)}>{t("breakfast.today")}</Button>}
    </div>
  );
}
