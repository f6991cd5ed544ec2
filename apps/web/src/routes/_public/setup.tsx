import { createFileRoute, useRouter } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { toast } from "sonner";
import { PublicHeading } from "@/components/shell/public-heading.tsx";
import { SetupForm } from "@/features/setup/setup-form.tsx";
import { queryClient } from "@/lib/trpc.ts";

export const Route = createFileRoute("/_public/setup")({
  staticData: { titleKey: "nav.setup" },
  component: Setup,
});

function Setup() {
  const { t } = useTranslation();
  const router = useRouter();

  async function enter(hotelName: string): Promise<void> {
    queryClient.clear();
    toast.success(t("setup.done", { name: hotelName }));
    await router.navigate({ to: "/login", replace: true });
  }

  return (
    <>
      <PublicHeading title={t("setup.title")} text={t("setup.text")} />
      <SetupForm onCreated={enter} />
    </>
  );
}
