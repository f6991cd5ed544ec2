import type { StayKey } from "@innkey/shared/schemas/access/stay-keys";
import {
  Ban,
  CircleCheck,
  CircleX,
  Clock,
  CreditCard,
  Hash,
  IdCard,
  type LucideIcon,
  Radio,
  RefreshCw,
  ScanFace,
  ShieldAlert,
} from "lucide-react";
import type { ReactNode } from "react";
import { formatShort } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import { useHotel } from "@/lib/session.ts";
import { StatusChip, type StatusTone } from "@/ui/status-chip.tsx";

const ICONS: Record<StayKey["kind"], LucideIcon> = {
  card: CreditCard,
  airCard: Radio,
  idCard: IdCard,
  passcode: Hash,
  face: ScanFace,
};

const STATES: Record<StayKey["state"], { tone: StatusTone; icon: LucideIcon }> = {
  rewrite: { tone: "expired", icon: RefreshCw },
  waiting: { tone: "info", icon: Clock },
  failed: { tone: "danger", icon: CircleX },
  opens: { tone: "success", icon: CircleCheck },
  may_open: { tone: "expired", icon: ShieldAlert },
  ended: { tone: "neutral", icon: Ban },
};

function stateText({ kind, state, usedAt }: StayKey): string {
  if (state === "rewrite") return t("card.writeAgain");
  if (state === "failed") return t("locks.credential.failed");
  if (state === "may_open") return t("locks.credential.revoking");
  if (state === "opens" && usedAt) return t("locks.credential.used");
  return state === "opens" && kind === "card" ? t("keys.written") : t(`keys.state.${state}`);
}

const TELLS_DOORS: readonly StayKey["state"][] = ["opens", "waiting", "rewrite"];

/** What a key opens with the room, and what it doesn't although the stay may. */
function KeyDoors({ stayKey: { state, roomName, doors } }: { stayKey: StayKey }) {
  if (doors.length === 0 || !TELLS_DOORS.includes(state)) return null;
  const named = (...states: StayKey["doors"][number]["state"][]): string =>
    doors
      .filter((door) => states.includes(door.state))
      .map(({ name }) => name)
      .join(", ");
  const opens = [state === "opens" && roomName, named("opens")].filter(Boolean).join(", ");
  const [waiting, lacks, taken] = [named("waiting"), named("failed", "none"), named("taken")];
  return (
    <>
      {opens && <p className="text-sm text-pretty text-muted-foreground">{t("keys.opensDoors", { doors: opens })}</p>}
      {waiting && <p className="text-sm text-pretty text-muted-foreground">{t("zones.waiting", { doors: waiting })}</p>}
      {lacks && <p className="text-sm text-pretty text-expired">{t("keys.lacksDoors", { doors: lacks })}</p>}
      {taken && <p className="text-sm text-pretty text-expired">{t("keys.takenDoors", { doors: taken })}</p>}
    </>
  );
}

type KeyLineProps = {
  stayKey: StayKey;
  /** Until when the stay's keys are to open. */
  opensUntil: string;
  actions?: ReactNode;
};

/** One key of a stay: what it is, where it stands and until when it opens. */
export function KeyLine({ stayKey, opensUntil, actions }: KeyLineProps) {
  const { timeZone } = useHotel();
  const { kind, label, state, validTo, rewrite } = stayKey;
  const Icon = ICONS[kind];
  const isCard = kind === "card" || kind === "airCard";
  const isTooLong = state === "opens" && kind === "card" && validTo !== null && validTo > opensUntil;
  const when = validTo && formatShort(validTo, timeZone);
  const detail =
    state === "rewrite"
      ? rewrite && t(`card.rewrite.${rewrite}`)
      : state === "may_open"
        ? when
          ? t("keys.mayOpenUntil", { when })
          : t("keys.mayOpenAlways")
        : isTooLong
          ? t("keys.longer", { when: when ?? "" })
          : state !== "ended" && when && t("card.until", { when });
  return (
    <li className="flex flex-wrap items-start gap-x-3 gap-y-1.5">
      <Icon aria-hidden className="mt-0.5 size-4 shrink-0 text-muted-foreground" />
      <div className="min-w-0 flex-1 basis-48">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span className="sr-only">{t(`keys.kind.${kind}`)}</span>
          {isCard ? (
            <bdi dir="ltr" className="font-mono">
              {label}
            </bdi>
          ) : (
            <span>{t(`keys.kind.${kind}`)}</span>
          )}
          <StatusChip size="sm" {...STATES[state]}>
            {stateText(stayKey)}
          </StatusChip>
        </p>
        {detail && (
          <p
            className={
              state === "rewrite" || state === "may_open" || isTooLong
                ? "text-sm text-pretty text-expired"
                : "text-sm text-pretty text-muted-foreground"
            }
          >
            {detail}
          </p>
        )}
        <KeyDoors stayKey={stayKey} />
      </div>
      {actions}
    </li>
  );
}
