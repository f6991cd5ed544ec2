import { createFileRoute, Link } from "@tanstack/react-router";
import { appTexts, t } from "@/lib/i18n.ts";
import { authStatus } from "@/lib/session.ts";
import { AppFrame } from "@/shell/app-frame.tsx";
import { PublicLayout } from "@/shell/public-layout.tsx";
import { PublicHeading } from "@/ui/page-header.tsx";
import { PageNotFound } from "@/ui/page-not-found.tsx";
import { Button } from "@/ui/primitives/button.tsx";

/** Where addresses lead that are none. Whoever is logged in keeps the menu. */
export const Route = createFileRoute("/404")({
  staticData: { titleKey: "nav.notFound" },
  beforeLoad: async () => {
    const { session } = await authStatus();
    if (session) await appTexts();
    return { isLoggedIn: Boolean(session) };
  },
  component: NotFound,
});

function NotFound() {
  const { isLoggedIn } = Route.useRouteContext();
  if (isLoggedIn) {
    return (
      <AppFrame>
        <PageNotFound />
      </AppFrame>
    );
  }
  return (
    <PublicLayout>
      <p aria-hidden className="mb-3 text-sm font-medium text-brass-ink">
        404
      </p>
      <PublicHeading title={t("shell.notFoundTitle")} text={t("shell.notFoundText")} />
      <Button asChild size="lg">
        <Link to="/">{t("shell.toHome")}</Link>
      </Button>
    </PublicLayout>
  );
}
