import type { StayCardRow } from "@innkey/shared/schemas/cards";
import { CreditCard, Nfc, Radio, RefreshCw, ShieldAlert, Undo2 } from "lucide-react";
import { CardStateChip, hasRunOut } from "@/entities/credential/card-state.tsx";
import { CredentialChip } from "@/entities/credential/credential-chip.tsx";
import { RiskLink } from "@/entities/credential/risk-link.tsx";
import { useLockActs } from "@/entities/lock/use-lock-acts.ts";
import { formatShort } from "@/lib/format.ts";
import { textOf, useTranslation } from "@/lib/i18n.ts";
import { useCan, useHotel } from "@/lib/session.ts";
import { Button } from "@/ui/primitives/button.tsx";
import { RowMenu } from "@/ui/table/row-menu.tsx";
import { useCardActs } from "./use-card-acts.ts";

type StayCardLineProps = { card: StayCardRow; mayEnd: boolean; onWriteAgain?: () => void };

/** One card of a stay: what it is, its status, and the actions it needs. */
export function StayCardLine({ card, mayEnd, onWriteAgain }: StayCardLineProps) {
  const { t } = useTranslation();
  const { timeZone } = useHotel();
  const acts = useCardActs();
  const { overTheAir, state, usedAt, validTo, revokeReason } = card;
  const Icon = overTheAir ? Radio : CreditCard;
  const ended = state === "revoking" || state === "revoked";
  const facts = [
    overTheAir && t("card.air.kind"),
    card.roomName,
    validTo && t("card.until", { when: formatShort(validTo, timeZone) }),
    usedAt && t("card.usedWhen", { when: formatShort(usedAt, timeZone) }),
    ended && revokeReason && textOf(`locks.revokeReason.${revokeReason}`, {}, "locks.revokeReason.by_hand"),
  ];
  return (
    <li className="flex items-start gap-3">
      <Icon aria-hidden className="mt-0.5 size-4 shrink-0 text-muted-foreground" />
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <bdi className="font-mono font-medium" dir="ltr">
            {card.uid}
          </bdi>
          {card.note && (
            <span dir="auto" className="name-run min-w-0 truncate">
              {card.note}
            </span>
          )}
          {(!overTheAir || ended) && <CardStateChip card={card} />}
        </p>
        <p className="text-sm text-pretty text-muted-foreground">{facts.filter(Boolean).join(" · ")}</p>
        {overTheAir && !ended && <Doors card={card} />}
        {card.tooShort && (
          <p className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm font-medium text-expired">
            {t("card.tooShort")}
            {onWriteAgain && (
              <Button size="sm" needsServer onClick={onWriteAgain}>
                <Nfc aria-hidden />
                {t("card.writeAgain")}
              </Button>
            )}
          </p>
        )}
        {state === "revoking" && !hasRunOut(card) && (
          <p className="flex flex-wrap items-center gap-x-2 text-sm text-expired">
            {t("card.mayStillOpen")} <RiskLink />
          </p>
        )}
      </div>
      {mayEnd && (
        <RowMenu
          row={card}
          actions={[
            { label: t("card.lost"), icon: ShieldAlert, danger: true, onSelect: acts.askAboutLoss },
            { label: t("card.takeBack"), icon: Undo2, danger: true, onSelect: acts.askToTakeBack },
          ]}
        />
      )}
    </li>
  );
}

/** Status of a card that opens by its number, at each lock. */
function Doors({ card }: { card: StayCardRow }) {
  const { t } = useTranslation();
  const mayRetry = useCan()("locks.retry");
  const locks = useLockActs();
  return (
    <ul className="mt-1 grid gap-1">
      {card.credentials.map((credential) => (
        <li key={credential.id} className="flex flex-wrap items-center gap-x-2 gap-y-1">
          {card.credentials.length > 1 && <bdi className="text-sm font-medium">{credential.roomName}</bdi>}
          <CredentialChip credential={credential} />
          {credential.state === "failed" && mayRetry && (
            <Button size="sm" pending={locks.trying} onClick={() => locks.tryNow({ id: credential.lockId })}>
              <RefreshCw aria-hidden />
              {t("locks.mend.retry_lock")}
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
}
