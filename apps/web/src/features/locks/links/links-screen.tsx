import type { DeviceLinkRow } from "@innkey/shared/schemas/access/locks";
import { useMutation, useQuery } from "@tanstack/react-query";
import { CircleAlert, CircleCheck, CircleDashed, Power } from "lucide-react";
import { useState } from "react";
import { lockErrorText } from "@/entities/lock/lock-words.ts";
import { confirm } from "@/lib/confirm.ts";
import { BY_TIME_MILLISECONDS } from "@/lib/events/topics.ts";
import { formatRelative } from "@/lib/format.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { useMe } from "@/lib/session.ts";
import { toast } from "@/lib/toast.ts";
import { trpc } from "@/lib/trpc.ts";
import { ActionButton } from "@/ui/action/action-button.tsx";
import { Callout } from "@/ui/callout.tsx";
import { CardHeading } from "@/ui/card-heading.tsx";
import { ErrorState } from "@/ui/error-state.tsx";
import { PageHeader } from "@/ui/page-header.tsx";
import { PageSkeleton } from "@/ui/page-skeleton.tsx";
import { Card, CardContent } from "@/ui/primitives/card.tsx";
import { StatusChip } from "@/ui/status-chip.tsx";
import { AccessFacts, EncryptedAccessCard } from "./encrypted-access.tsx";
import { LINK_NAMES, LinkDialog } from "./link-dialog.tsx";

const PUBLIC_SETTINGS = ["baseTopic", "prefix", "baseUrl", "clientId", "account"] as const;

function LinkCard({ link, onEdit }: { link: DeviceLinkRow; onEdit: () => void }) {
  const { t } = useTranslation();
  const { kind, on, settings, user, lastError, lastSeenAt, callbackPath } = link;
  const name = LINK_NAMES[kind];
  // Only owners may edit a cloud link, because the server connects to its address.
  const mayEdit = useMe().role === "owner" || kind !== "ttlock";
  const remove = useMutation(trpc.locks.removeLink.mutationOptions());

  function askToTurnOff(): void {
    void confirm({
      title: t("locks.links.offAsk", { name }),
      description: t(`locks.links.offText.${kind}`),
      confirmLabel: t("locks.links.turnOff"),
      tone: "danger",
      action: async () => {
        await remove.mutateAsync({ kind });
        toast.success(t("locks.links.offDone", { name }));
      },
    });
  }

  return (
    <Card>
      <CardHeading
        title={
          <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
            {name}
            <LinkChip on={on} failed={lastError !== null} />
          </span>
        }
        description={
          <span className="text-pretty">
            {t(`locks.links.what.${kind}`)}
            {!mayEdit && ` ${t("locks.links.ownersOnly")}`}
          </span>
        }
        actions={
          on ? (
            <>
              <ActionButton variant="ghost-destructive" onClick={askToTurnOff}>
                {t("locks.links.turnOff")}
              </ActionButton>
              {mayEdit && (
                <ActionButton variant="outline" onClick={onEdit}>
                  {t("common.edit")}
                </ActionButton>
              )}
            </>
          ) : mayEdit ? (
            <ActionButton variant="outline" onClick={onEdit}>
              <Power aria-hidden />
              {t("locks.links.turnOn")}
            </ActionButton>
          ) : null
        }
      />
      {on && (
        <CardContent className="grid gap-3">
          {lastError && <Callout tone="danger" title={lockErrorText(lastError)} />}
          <AccessFacts
            facts={[
              ...PUBLIC_SETTINGS.map((field) => [t(`locks.links.field.${field}`), settings[field] ?? null] as const),
              [t("locks.connect.user"), user],
              [t("locks.links.callback"), callbackPath && new URL(callbackPath, location.origin).href],
            ]}
          />
          {callbackPath && <p className="text-sm text-pretty text-muted-foreground">{t("locks.links.callbackHint")}</p>}
          <p className="text-sm text-muted-foreground">
            {lastSeenAt ? t("locks.seen", { when: formatRelative(lastSeenAt) }) : t("locks.links.neverSeen")}
          </p>
        </CardContent>
      )}
    </Card>
  );
}

function LinkChip({ on, failed }: { on: boolean; failed: boolean }) {
  const { t } = useTranslation();
  if (!on)
    return (
      <StatusChip tone="neutral" icon={CircleDashed} size="sm">
        {t("locks.links.off")}
      </StatusChip>
    );
  return failed ? (
    <StatusChip tone="danger" icon={CircleAlert} size="sm">
      {t("locks.links.failing")}
    </StatusChip>
  ) : (
    <StatusChip tone="success" icon={CircleCheck} size="sm">
      {t("locks.links.on")}
    </StatusChip>
  );
}

/** Links to systems that connect the console to locks, or that observe the locks. */
export function LinksScreen() {
  const { t } = useTranslation();
  const [edited, setEdited] = useState<DeviceLinkRow | null>(null);
  const links = useQuery(trpc.locks.links.queryOptions(undefined, { refetchInterval: BY_TIME_MILLISECONDS }));
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
