import { BedDouble, FileUp, LockKeyhole, type LucideIcon, Users } from "lucide-react";
import { type TextKey, useTranslation } from "@/lib/i18n.ts";
import { Card, CardHeader } from "@/ui/primitives/card.tsx";
import { ExplainedLink } from "@/ui/primitives/explained-link.tsx";

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
        {STEPS.map(({ to, icon, titleKey, textKey }) => (
          <li key={to}>
            <ExplainedLink to={to} icon={icon} title={t(titleKey)} text={t(textKey)} />
          </li>
        ))}
      </ol>
    </Card>
  );
}
