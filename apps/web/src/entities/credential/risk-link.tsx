import { Link } from "@tanstack/react-router";
import { useTranslation } from "@/lib/i18n.ts";
import { useCan } from "@/lib/session.ts";
import { Button } from "@/ui/primitives/button.tsx";

/** Links to the list of revoked keys that may still open, for operators who may see it. */
export function RiskLink() {
  const { t } = useTranslation();
  if (!useCan()("locks.view")) return null;
  return (
    <Button asChild variant="link" className="text-sm">
      <Link to="/risk">{t("card.seeRisk")}</Link>
    </Button>
  );
}
