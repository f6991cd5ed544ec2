import { createFileRoute, Link } from "@tanstack/react-router";
import { t } from "@/lib/i18n.ts";
import { PublicHeading } from "@/ui/page-header.tsx";
import { Button } from "@/ui/primitives/button.tsx";

export const Route = createFileRoute("/_public/404")({
  staticData: { titleKey: "nav.notFound" },
  component: NotFound,
});

function NotFound() {
  return (
    <>
      <p aria-hidden className="mb-3 text-sm font-medium text-brass-ink">
        404
      </p>
      <PublicHeading title={t("shell.notFoundTitle")} text={t("shell.notFoundText")} />
      <Button asChild size="lg">
        <Link to="/">{t("shell.toHome")}</Link>
      </Button>
    </>
  );
}
