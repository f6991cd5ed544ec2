import type { CardState, KeyStatus } from "@innkey/shared/enums";
import { silentSince } from "@innkey/shared/locks/lock-status";
import type { CardRow } from "@innkey/shared/schemas/access/cards";
import type { CredentialRow } from "@innkey/shared/schemas/access/locks";
import { Link } from "@tanstack/react-router";
import {
  Ban,
  CircleCheck,
  CircleDashed,
  CircleHelp,
  CircleX,
  Clock,
  DoorOpen,
  type LucideIcon,
  Send,
  ShieldAlert,
} from "lucide-react";
import type { ReactNode } from "react";
import { lockErrorText, nextTryText } from "@/entities/lock/lock-labels.ts";
import { cn } from "@/lib/cn.ts";
import { formatDateTime, formatNumber, formatRelative } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import { useCan, useHotel } from "@/lib/session.ts";
import { Button } from "@/ui/primitives/button.tsx";
import { StatusChip, type StatusTone } from "@/ui/status-chip.tsx";

const STYLES: Record<CredentialRow["state"], { tone: StatusTone; icon: LucideIcon }> = {
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
  /** Whether it is a one-time code, which the lock computes on its own, so that nothing has to be sent. */
  isOneTime?: boolean;
  className?: string;
};

/** Shows the state of a key at one lock, since when, and what it waits for. */
export function CredentialChip({ credential, isOneTime, className }: CredentialChipProps) {
  const { timeZone } = useHotel();
  const { state, failReason, lockOnline, nextTryAt } = credential;
  const at = since(credential);
  const lastHeardAt = state === "confirmed" || state === "used" ? silentSince(credential) : null;
  const isWaiting = state === "queued" || state === "sent" || state === "revoking";
  const reasons = [
    lockErrorText(failReason),
    (isWaiting || state === "failed") && nextTryText(nextTryAt, lockOnline),
  ].filter(Boolean);
  if (lastHeardAt) return <UnknownChip heardAt={lastHeardAt} className={className} />;
  return (
    <span className={cn("inline-flex min-w-0 flex-wrap items-center gap-x-2 gap-y-0.5", className)}>
      <StatusChip {...STYLES[state]} size="sm">
        {isOneTime && state === "confirmed" ? t("locks.knownAlready") : t(`locks.credential.${state}`)}
      </StatusChip>
      <time dateTime={at} title={formatDateTime(at, timeZone)} className="text-xs text-muted-foreground">
        {formatRelative(at)}
      </time>
      {reasons.length > 0 && (
        <span className={cn("basis-full text-xs text-pretty", failReason ? "text-danger" : "text-muted-foreground")}>
          {reasons.join(" ")}
        </span>
      )}
    </span>
  );
}

/** Shown for a key whose lock has not reported for so long that it is uncertain whether the key opens. */
function UnknownChip({ heardAt, className }: { heardAt: string; className?: string }) {
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

/** Shows the state of a key at its doors: the state that needs attention most, and how many doors are in it. */
export function DoorsChip({ credentials, isOneTime }: { credentials: readonly CredentialRow[]; isOneTime?: boolean }) {
  const credential = mostUrgent(credentials);
  if (!credential) return "–";
  const sameStateCount = credentials.filter(({ state }) => state === credential.state).length;
  return (
    <span className="block whitespace-normal">
      <CredentialChip credential={credential} isOneTime={isOneTime} />
      {credentials.length > 1 && (
        <span className="block text-xs text-muted-foreground">
          {t("passcode.ofDoors", { some: formatNumber(sameStateCount), total: formatNumber(credentials.length) })}
        </span>
      )}
    </span>
  );
}

type State = CredentialRow["state"];

/** States by the attention they need, most urgent first. */
const ATTENTION: readonly State[] = ["failed", "revoking", "queued", "sent", "confirmed", "used", "revoked"];

/** Returns the credential that needs attention most. */
function mostUrgent(credentials: readonly CredentialRow[]): CredentialRow | undefined {
  return credentials.toSorted((a, b) => ATTENTION.indexOf(a.state) - ATTENTION.indexOf(b.state))[0];
}

const UNDER_WAY: readonly State[] = ["queued", "sent", "revoking"];

/** Checks whether the answer of the lock is pending. */
export function isUnderWay({ state }: Pick<CredentialRow, "state">): boolean {
  return UNDER_WAY.includes(state);
}

/** Checks whether the lock has stored the key. */
export function isReady({ state }: Pick<CredentialRow, "state">): boolean {
  return state === "confirmed" || state === "used";
}

/** Returns the names of the doors whose locks haven't confirmed the hours of a card or code. */
export const locksWithFormerHours = (
  credentials: readonly Pick<CredentialRow, "hoursChangedAt" | "state" | "roomName">[],
): string[] =>
  credentials
    .filter(({ hoursChangedAt, state }) => hoursChangedAt !== null && state !== "revoking" && state !== "revoked")
    .map(({ roomName }) => roomName ?? "–");

type DoorsListProps<Row extends CredentialRow> = {
  credentials: readonly Row[];
  isOneTime?: boolean;
  /** Action or remark for one door. */
  after?: (credential: Row) => ReactNode;
};

/** Lists the state of a key at each lock. */
export function DoorsList<Row extends CredentialRow>({ credentials, isOneTime, after }: DoorsListProps<Row>) {
  const seesRooms = useCan()("rooms.view");
  return (
    <ul className="divide-y rounded-md border">
      {credentials.map((credential) => (
        <li key={credential.id} className="flex flex-wrap items-start gap-x-3 gap-y-1 px-4 py-2.5">
          <span className="min-w-14 font-medium">
            {credential.roomId !== null && seesRooms ? (
              <Link to="/room/$roomId" params={{ roomId: credential.roomId }} className="rounded-sm hover:underline">
                <bdi>{credential.roomName}</bdi>
              </Link>
            ) : (
              <bdi>{credential.roomName ?? "–"}</bdi>
            )}
          </span>
          <CredentialChip credential={credential} isOneTime={isOneTime} className="flex-1 basis-40" />
          {after?.(credential)}
        </li>
      ))}
    </ul>
  );
}

const CARD_STYLES: Record<CardState, { tone: StatusTone; icon: LucideIcon }> = {
  pending: { tone: "info", icon: CircleDashed },
  active: { tone: "success", icon: CircleCheck },
  revoking: { tone: "expired", icon: ShieldAlert },
  revoked: { tone: "neutral", icon: Ban },
};

type CardStatusFields = Pick<CardRow, "state" | "usedAt" | "validTo" | "lockOnline" | "lockHeardAt"> & {
  standing?: KeyStatus;
};

/** Shows how reliable a card is. A card that has opened a door is proven to work. */
export function CardStateChip({ card }: { card: CardStatusFields }) {
  const { state, usedAt, standing: displayStatus } = card;
  const isExpired = state !== "revoked" && hasExpired(card);
  if (isExpired)
    return (
      <StatusChip size="sm" tone="neutral" icon={Ban}>
        {t("card.ranOut")}
      </StatusChip>
    );
  if (state === "active" && displayStatus === "pending") {
    return (
      <StatusChip size="sm" {...CARD_STYLES.pending}>
        {t("card.state.unconfirmed")}
      </StatusChip>
    );
  }
  const lastHeardAt = state === "active" ? silentSince(card) : null;
  if (lastHeardAt) return <UnknownChip heardAt={lastHeardAt} />;
  if (state === "active" && usedAt) {
    return (
      <StatusChip size="sm" tone="success" icon={DoorOpen}>
        {t("locks.credential.used")}
      </StatusChip>
    );
  }
  return (
    <StatusChip size="sm" {...CARD_STYLES[state]}>
      {t(`card.state.${state}`)}
    </StatusChip>
  );
}

/** Checks whether the card has passed its own end date, whatever the locks have stored. */
export function hasExpired({ validTo }: Pick<CardRow, "validTo">, now = Date.now()): boolean {
  return validTo !== null && Date.parse(validTo) <= now;
}

/** Links to the revoked keys that may still open a door. Renders nothing for operators who may not see them. */
export function PendingRevocationsLink() {
  if (!useCan()("locks.view")) return null;
  return (
    <Button asChild variant="link" className="text-sm">
      <Link to="/risk">{t("card.seeRisk")}</Link>
    </Button>
  );
}
