import type { CardState, KeyStatus } from "@innkey/shared/enums";
import { silentSince } from "@innkey/shared/locks/standing";
import type { CardRow } from "@innkey/shared/schemas/access/cards";
import { Ban, CircleCheck, CircleDashed, DoorOpen, type LucideIcon, ShieldAlert } from "lucide-react";
import { useTranslation } from "@/lib/i18n.ts";
import { StatusChip, type StatusTone } from "@/ui/status-chip.tsx";
import { UnknownChip } from "./credential-chip.tsx";

const LOOKS: Record<CardState, { tone: StatusTone; icon: LucideIcon }> = {
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
  const { t } = useTranslation();
  const { state, usedAt, standing } = card;
  const ranOut = state !== "revoked" && hasRunOut(card);
  if (ranOut)
    return (
      <StatusChip size="sm" tone="neutral" icon={Ban}>
        {t("card.ranOut")}
      </StatusChip>
    );
  if (state === "active" && standing === "pending") {
    return (
      <StatusChip size="sm" {...LOOKS.pending}>
        {t("card.state.unconfirmed")}
      </StatusChip>
    );
  }
  const silent = state === "active" ? silentSince(card) : null;
  if (silent) return <UnknownChip heardAt={silent} />;
  if (state === "active" && usedAt) {
    return (
      <StatusChip size="sm" tone="success" icon={DoorOpen}>
        {t("locks.credential.used")}
      </StatusChip>
    );
  }
  return (
    <StatusChip size="sm" {...LOOKS[state]}>
      {t(`card.state.${state}`)}
    </StatusChip>
  );
}

/** Expired by its own end date, whatever the locks have stored. */
export function hasRunOut({ validTo }: Pick<CardRow, "validTo">, now = Date.now()): boolean {
  return validTo !== null && Date.parse(validTo) <= now;
}
