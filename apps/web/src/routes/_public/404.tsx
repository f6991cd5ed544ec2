import { createFileRoute, Link } from "@tanstack/react-router";
import { PublicHeading } from "@/components/shell/public-heading.tsx";
import { Button } from "@/components/ui/button.tsx";
import { useTranslation } from "@/lib/i18n.ts";

export const Route = createFileRoute("/_public/404")({
  staticData: { titleKey: "nav.notFound" },
  component: NotFound,
});

function NotFound() {
  const { t } = useTranslation();
  return (
    <>
      <p aria-hidden className="mb-3 text-sm font-medium text-brass-ink">
        404
      </p>
      <PublicHeading title={t("shell.notFoundTitle")} text={t("shell.notFoundText")} />
      <Button asChild variant="primary" size="lg">
        <Link to="/">{t("shell.toHome")}</Link>
      </Button>
    </>
  );
}
