import { createFileRoute, useRouter } from "@tanstack/react-router";
import { SetupForm } from "@/features/settings/setup/setup-form.tsx";
import { t } from "@/lib/i18n.ts";
import { type Me, rememberSession } from "@/lib/session.ts";
import { toast } from "@/lib/toast.ts";
import { PublicHeading } from "@/ui/page-header.tsx";

export const Route = createFileRoute("/_public/setup")({
  staticData: { titleKey: "nav.setup" },
  component: Setup,
});

function Setup() {
  const router = useRouter();

  async function enter(owner: Me): Promise<void> {
    rememberSession(owner);
    toast.success(t("setup.done", { name: owner.hotel.name }));
    await router.navigate({ to: "/getReady", replace: true });
  }

  return (
    <div className="xl:-mx-16">
      <PublicHeading title={t("setup.title")} text={t("setup.text")} />
      <SetupForm onCreated={enter} />
    </div>
  );
}
