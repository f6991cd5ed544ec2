import { createFileRoute } from "@tanstack/react-router";
import { ChangePasswordForm } from "@/features/account/login/change-password.tsx";
import { t } from "@/lib/i18n.ts";
import { PageHeader } from "@/ui/page-header.tsx";
import { Card, CardContent } from "@/ui/primitives/card.tsx";

export const Route = createFileRoute("/_app/user/changePsw")({
  staticData: { titleKey: "nav.changePassword" },
  component: ChangePassword,
});

function ChangePassword() {
  return (
    <>
      <PageHeader title={t("nav.changePassword")} description={t("auth.changePasswordText")} />
      <Card className="max-w-3xl">
        <CardContent>
          <ChangePasswordForm />
        </CardContent>
      </Card>
    </>
  );
}
