import type { DeviceLinkRow } from "@innkey/shared/schemas/locks";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "@/lib/i18n.ts";
import { trpc } from "@/lib/trpc.ts";
import { ErrorState } from "@/ui/error-state.tsx";
import { PageHeader } from "@/ui/page-header.tsx";
import { PageSkeleton } from "@/ui/page-skeleton.tsx";
import { EncryptedAccessCard } from "./encrypted-access.tsx";
import { LinkCard } from "./link-card.tsx";
import { LinkDialog } from "./link-dialog.tsx";

const REFRESH_MILLISECONDS = 10_000;

/** Links to systems that connect the console to locks, or that observe the locks. */
export function LinksScreen() {
  const { t } = useTranslation();
  const [edited, setEdited] = useState<DeviceLinkRow | null>(null);
  const links = useQuery(trpc.locks.links.queryOptions(undefined, { refetchInterval: REFRESH_MILLISECONDS }));
  if (links.error && !links.data) return <ErrorState error={links.error} onRetry={() => void links.refetch()} />;
  if (!links.data) return <PageSkeleton />;
  return (
    <div className="mx-auto max-w-4xl">
      <PageHeader title={t("locks.links.title")} description={t("locks.links.text")} />
      <div className="grid gap-4">
        {links.data.map((link) => (
          <LinkCard key={link.kind} link={link} onEdit={() => setEdited(link)} />
        ))}
        <EncryptedAccessCard />
      </div>
      {edited && <LinkDialog link={edited} onClose={() => setEdited(null)} />}
    </div>
  );
}
