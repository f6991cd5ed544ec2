import { createFileRoute } from "@tanstack/react-router";
import { PageHeader } from "@/components/page-header.tsx";
import { Card, CardBody } from "@/components/ui/card.tsx";
import { ChangePasswordForm } from "@/features/auth/change-password-form.tsx";
import { useTranslation } from "@/lib/i18n.ts";

export const Route = createFileRoute("/_app/user/changePsw")({
  staticData: { titleKey: "nav.changePassword" },
  component: ChangePassword,
});

function ChangePassword() {
  const { t } = useTranslation();
  return (
    <div className="max-w-lg">
      <PageHeader title={t("nav.changePassword")} description={t("auth.changePasswordText")} />
      <Card>
        <CardBody className="pt-5">
          <ChangePasswordForm />
        </CardBody>
      </Card>
    </div>
  );
}
