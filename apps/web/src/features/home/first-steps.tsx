import { Link } from "@tanstack/react-router";
import { BedDouble, ChevronRight, FileUp, LockKeyhole, type LucideIcon, Users } from "lucide-react";
import { Card, CardHeader } from "@/components/ui/card.tsx";
import { type TextKey, useTranslation } from "@/lib/i18n.ts";

const STEPS: readonly { to: string; icon: LucideIcon; titleKey: TextKey; textKey: TextKey }[] = [
  { to: "/imports", icon: FileUp, titleKey: "home.first.import", textKey: "home.first.importText" },
  { to: "/room", icon: BedDouble, titleKey: "home.first.rooms", textKey: "home.first.roomsText" },
  { to: "/locks", icon: LockKeyhole, titleKey: "home.first.locks", textKey: "home.first.locksText" },
  { to: "/staff", icon: Users, titleKey: "home.first.staff", textKey: "home.first.staffText" },
];

/** A house without rooms: where to begin. */
export function FirstSteps() {
  const { t } = useTranslation();
  return (
    <Card>
      <CardHeader title={t("home.first.title")} description={t("home.first.text")} />
      <ol className="divide-y border-t">
        {STEPS.map(({ to, icon: Icon, titleKey, textKey }) => (
          <li key={to}>
            <Link to={to} className="flex items-center gap-4 px-5 py-3 -outline-offset-2 hover:bg-hover">
              <Icon aria-hidden className="size-5 shrink-0 text-muted-foreground" strokeWidth={1.75} />
              <span className="min-w-0 flex-1">
                <span className="block font-medium">{t(titleKey)}</span>
                <span className="block text-sm text-muted-foreground">{t(textKey)}</span>
              </span>
              <ChevronRight aria-hidden className="flip-rtl size-4 shrink-0 text-faint-foreground" />
            </Link>
          </li>
        ))}
      </ol>
    </Card>
  );
}
