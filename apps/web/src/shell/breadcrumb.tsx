import { Link } from "@tanstack/react-router";
import { ChevronRight } from "lucide-react";
import { useTranslation } from "@/lib/i18n.ts";
import { useCrumbs } from "@/lib/page-title.ts";

export function Breadcrumb() {
  const { t } = useTranslation();
  const crumbs = useCrumbs();
  return (
    <nav aria-label={t("shell.breadcrumb")} className="min-w-0">
      <ol className="flex min-w-0 items-center gap-1.5">
        {crumbs.map((crumb, index) => (
          <li
            key={`${crumb.to ?? ""}${crumb.label}`}
            className="flex min-w-0 items-center gap-1.5 not-last:max-sm:hidden"
          >
            {index > 0 && (
              <ChevronRight aria-hidden className="flip-rtl size-3.5 shrink-0 text-faint-foreground max-sm:hidden" />
            )}
            {crumb.to ? (
              <Link
                to={crumb.to}
                className="truncate rounded-sm text-muted-foreground hover:text-foreground hover:underline"
              >
                {crumb.label}
              </Link>
            ) : (
              <span aria-current="page" className="truncate font-medium">
                {crumb.label}
              </span>
            )}
          </li>
        ))}
      </ol>
    </nav>
  );
}
