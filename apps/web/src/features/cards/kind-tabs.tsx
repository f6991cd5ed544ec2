import { Link } from "@tanstack/react-router";
import { useTranslation } from "@/lib/i18n.ts";

const linkStyle =
  "-mb-px flex h-10 items-center border-b-2 border-transparent font-medium whitespace-nowrap text-muted-foreground hover:text-foreground focus-visible:-outline-offset-2 data-[status=active]:border-brass data-[status=active]:text-foreground";

/** From one kind of card to the other. */
export function KindTabs() {
  const { t } = useTranslation();
  return (
    <nav aria-label={t("card.kinds")} className="scroll-quiet mb-5 flex gap-5 overflow-x-auto border-b">
      <Link to="/center/cardList" activeOptions={{ includeSearch: false }} className={linkStyle}>
        {t("nav.managementCards")}
      </Link>
      <Link to="/center/universalCardList" activeOptions={{ includeSearch: false }} className={linkStyle}>
        {t("nav.universalCards")}
      </Link>
    </nav>
  );
}
