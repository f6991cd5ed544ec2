import type { SenderStatus, SystemStatus } from "@innkey/shared/schemas/overview/system";
import { formatDate, formatNumber, formatRelative, formatShort } from "@/lib/format.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { useHotel } from "@/lib/session.ts";
import { STORES } from "./main-cards.tsx";
import { formatBytes, PartCard } from "./part-card.tsx";

import type { PartStatus } from "./part-states.ts";

type CardProps = { status: SystemStatus; standing: PartStatus };

export function StorageCard({ status: { storage, disk }, standing: partStatus }: CardProps) {
  const { t } = useTranslation();
  return (
    <PartCard
      part="storage"
      standing={partStatus}
      className="xl:col-span-2"
      facts={[
        {
          label: t(storage?.kind === "s3" ? "system.fact.bucket" : "system.fact.folder"),
          value: storage && <bdi className="ltr-run break-all">{storage.place}</bdi>,
        },
        {
          label: t("system.fact.free"),
          value: disk && t("system.ofAll", { part: formatBytes(disk.freeBytes), all: formatBytes(disk.totalBytes) }),
        },
      ]}
    />
  );
}

export function BackupCard({ status: { backup }, standing: partStatus }: CardProps) {
  const { t } = useTranslation();
  const { timeZone } = useHotel();
  const { last, everyHours } = backup;
  return (
    <PartCard
      part="backup"
      standing={partStatus}
      facts={[
        { label: t("system.fact.last"), value: last?.at ? formatShort(last.at, timeZone) : t("system.never") },
        { label: t("system.fact.size"), value: last?.sizeBytes ? formatBytes(last.sizeBytes) : null },
        {
          label: t("system.fact.restored"),
          value: last?.verifiedAt ? formatShort(last.verifiedAt, timeZone) : t("system.never"),
        },
        {
          label: t("system.fact.schedule"),
          value:
            everyHours === 0
              ? t("system.byHand")
              : t("system.everyHours", { count: everyHours, formatted: formatNumber(everyHours) }),
        },
        { label: t("system.fact.lastFailure"), value: last?.error ? <Reason text={last.error} /> : null },
      ]}
    >
      {partStatus.state === "unproven" && <p className="mt-3 text-sm text-muted-foreground">{t("system.unproven")}</p>}
    </PartCard>
  );
}

export function CertificateCard({ status: { certificate }, standing: partStatus }: CardProps) {
  const { t } = useTranslation();
  const { timeZone } = useHotel();
  if (!certificate) return <PartCard part="certificate" standing={partStatus} />;
  const { host, expiresAt, issuer, problem } = certificate;
  return (
    <PartCard
      part="certificate"
      standing={partStatus}
      facts={[
        { label: t("system.fact.address"), value: <bdi className="ltr-run break-all">{host}</bdi> },
        {
          label: t("system.fact.expires"),
          value: expiresAt && `${formatDate(expiresAt, timeZone)} (${formatRelative(expiresAt)})`,
        },
        { label: t("system.fact.issuer"), value: issuer === "" ? null : <bdi>{issuer}</bdi> },
        { label: t("system.fact.problem"), value: problem === "" ? null : <Reason text={problem} /> },
      ]}
    />
  );
}

export function LiveEventsCard({ status: { liveEvents }, standing: partStatus }: CardProps) {
  const { t } = useTranslation();
  return (
    <PartCard
      part="liveEvents"
      standing={partStatus}
      facts={[{ label: t("system.fact.via"), value: <bdi>{STORES[liveEvents.via]}</bdi> }]}
    />
  );
}

export function SendersCard({ status: { senders }, standing: partStatus }: CardProps) {
  const { t } = useTranslation();
  const { timeZone } = useHotel();
  const facts = (["mail", "sms"] as const).flatMap((channel) => {
    const sender: SenderStatus | undefined = senders?.[channel];
    if (!sender) return [];
    const name = t(`outbox.channel.${channel}`);
    const waiting = t("system.waiting", { number: formatNumber(sender.waiting) });
    return [
      { label: name, value: sender.configured ? waiting : t("system.state.off") },
      {
        label: `${name}: ${t("system.fact.lastFailure")}`,
        value:
          sender.configured && sender.lastFailure ? (
            <>
              {formatShort(sender.lastFailure.at, timeZone)} <Reason text={sender.lastFailure.reason} />
            </>
          ) : null,
      },
    ];
  });
  return <PartCard part="senders" standing={partStatus} facts={facts} />;
}

export function WebhooksCard({ status: { webhooks }, standing: partStatus }: CardProps) {
  const { t } = useTranslation();
  if (!webhooks || partStatus.state === "off") return <PartCard part="webhooks" standing={partStatus} />;
  return (
    <PartCard
      part="webhooks"
      standing={partStatus}
      facts={[
        { label: t("system.fact.on"), value: formatNumber(webhooks.on) },
        { label: t("system.fact.failing"), value: formatNumber(webhooks.failing) },
        { label: t("system.fact.givenUp"), value: formatNumber(webhooks.givenUp) },
        { label: t("system.fact.waiting"), value: formatNumber(webhooks.waiting) },
      ]}
    />
  );
}

export function AuditCard({ status: { journal: auditEntry }, standing: partStatus }: CardProps) {
  const { t } = useTranslation();
  const { timeZone } = useHotel();
  return (
    <PartCard
      part="journal"
      standing={partStatus}
      facts={[
        {
          label: t("system.fact.checked"),
          value: auditEntry ? formatShort(auditEntry.checkedAt, timeZone) : t("system.never"),
        },
        { label: t("system.fact.chain"), value: auditEntry && t(auditEntry.whole ? "system.whole" : "system.broken") },
      ]}
    />
  );
}

/** Error text of the other system, which we can't translate. */
function Reason({ text }: { text: string }) {
  return (
    <bdi lang="en" className="ltr-run block break-words text-danger">
      {text}
    </bdi>
  );
}
