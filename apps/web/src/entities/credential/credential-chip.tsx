import { silentSince } from "@innkey/shared/locks/standing";
import type { CredentialRow } from "@innkey/shared/schemas/access/locks";
import {
  Ban,
  CircleCheck,
  CircleHelp,
  CircleX,
  Clock,
  DoorOpen,
  type LucideIcon,
  Send,
  ShieldAlert,
} from "lucide-react";
import { cn } from "@/lib/cn.ts";
import { formatDateTime, formatRelative } from "@/lib/format.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { useHotel } from "@/lib/session.ts";
import { StatusChip, type StatusTone } from "@/ui/status-chip.tsx";
import { lockErrorText, nextTryText } from "../lock/lock-words.ts";

const LOOKS: Record<CredentialRow["state"], { tone: StatusTone; icon: LucideIcon }> = {
  queued: { tone: "neutral", icon: Clock },
  sent: { tone: "info", icon: Send },
  confirmed: { tone: "success", icon: CircleCheck },
  used: { tone: "success", icon: DoorOpen },
  failed: { tone: "danger", icon: CircleX },
  revoking: { tone: "expired", icon: ShieldAlert },
  revoked: { tone: "neutral", icon: Ban },
};

type CredentialStatusFields = Pick<
  CredentialRow,
  | "state"
  | "lockOnline"
  | "lockHeardAt"
  | "failReason"
  | "nextTryAt"
  | "confirmedAt"
  | "usedAt"
  | "revokedAt"
  | "createdAt"
>;

function since({ state, confirmedAt, usedAt, revokedAt, createdAt }: CredentialStatusFields): string {
  if (state === "used") return usedAt ?? createdAt;
  if (state === "confirmed") return confirmedAt ?? createdAt;
  return state === "revoking" || state === "revoked" ? (revokedAt ?? createdAt) : createdAt;
}

type CredentialChipProps = {
  credential: CredentialStatusFields;
  /** Whether it is a code that the lock computes by itself, as the console did, so that nothing has to be sent. */
  once?: boolean;
  className?: string;
};

/** Shows the state of a key at one lock, since when, and what it waits for. */
export function CredentialChip({ credential, once, className }: CredentialChipProps) {
  const { t } = useTranslation();
  const { timeZone } = useHotel();
  const { state, failReason, lockOnline, nextTryAt } = credential;
  const at = since(credential);
  const silent = state === "confirmed" || state === "used" ? silentSince(credential) : null;
  const waits = state === "queued" || state === "sent" || state === "revoking";
  const why = [lockErrorText(failReason), (waits || state === "failed") && nextTryText(nextTryAt, lockOnline)].filter(
    Boolean,
  );
  if (silent) return <UnknownChip heardAt={silent} className={className} />;
  return (
    <span className={cn("inline-flex min-w-0 flex-wrap items-center gap-x-2 gap-y-0.5", className)}>
      <StatusChip {...LOOKS[state]} size="sm">
        {once && state === "confirmed" ? t("locks.knownAlready") : t(`locks.credential.${state}`)}
      </StatusChip>
      <time dateTime={at} title={formatDateTime(at, timeZone)} className="text-xs text-muted-foreground">
        {formatRelative(at)}
      </time>
      {why.length > 0 && (
        <span className={cn("basis-full text-xs text-pretty", failReason ? "text-danger" : "text-muted-foreground")}>
          {why.join(" ")}
        </span>
      )}
    </span>
  );
}

/** Shown for a key whose lock has not reported for so long that nobody can say whether the key opens. */
export function UnknownChip({ heardAt, className }: { heardAt: string; className?: string }) {
  const { t } = useTranslation();
  const { timeZone } = useHotel();
  return (
    <span className={cn("inline-flex min-w-0 flex-wrap items-center gap-x-2 gap-y-0.5", className)}>
      <StatusChip tone="dirty" icon={CircleHelp} size="sm">
        {t("locks.unknown")}
      </StatusChip>
      <time dateTime={heardAt} title={formatDateTime(heardAt, timeZone)} className="text-xs text-muted-foreground">
        {t("locks.seen", { when: formatRelative(heardAt) })}
      </time>
    </span>
  );
}
