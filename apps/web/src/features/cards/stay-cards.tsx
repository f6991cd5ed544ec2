import type { StayCardRow } from "@innkey/shared/schemas/access/cards";
import type { StayDetail } from "@innkey/shared/schemas/stays/stays";
import { useQuery } from "@tanstack/react-query";
import { CreditCard, Nfc, Radio, RefreshCw, ShieldAlert, Undo2 } from "lucide-react";
import { useState } from "react";
import { CardStateChip, hasRunOut } from "@/entities/credential/card-state.tsx";
import { CredentialChip } from "@/entities/credential/credential-chip.tsx";
import { RiskLink } from "@/entities/credential/risk-link.tsx";
import { useLockActs } from "@/entities/lock/use-lock-acts.ts";
import { useStayActions } from "@/entities/stay/stay-actions.tsx";
import { BY_TIME_MILLISECONDS } from "@/lib/events/topics.ts";
import { formatNumber, formatShort } from "@/lib/format.ts";
import { textOf, useTranslation } from "@/lib/i18n.ts";
import { useCan, useHotel } from "@/lib/session.ts";
import { trpc } from "@/lib/trpc.ts";
import { ActionButton } from "@/ui/action/action-button.tsx";
import { CardHeading } from "@/ui/card-heading.tsx";
import { ErrorState } from "@/ui/error-state.tsx";
import { Card, CardContent } from "@/ui/primitives/card.tsx";
import { Skeleton } from "@/ui/primitives/skeleton.tsx";
import { RowMenu } from "@/ui/table/row-menu.tsx";
import { AirCardDialog } from "./air-card-dialog.tsx";
import { isLive, useCardActs } from "./use-card-acts.ts";

type StayCardLineProps = { card: StayCardRow; mayEnd: boolean; onWriteAgain?: () => void };

/** One card of a stay: what it is, its status, and the actions it needs. */
function StayCardLine({ card, mayEnd, onWriteAgain }: StayCardLineProps) {
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
              <ActionButton variant="outline" size="sm" onClick={onWriteAgain}>
                <Nfc aria-hidden />
                {t("card.writeAgain")}
              </ActionButton>
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
            <ActionButton
              variant="outline"
              size="sm"
              pending={locks.trying}
              onClick={() => locks.tryNow({ id: credential.lockId })}
            >
              <RefreshCw aria-hidden />
              {t("locks.mend.retry_lock")}
            </ActionButton>
          )}
        </li>
      ))}
    </ul>
  );
}

type StayCardsProps = {
  stay: StayDetail;
  /** True on the card station, where cards are written right beside this list. */
  atStation?: boolean;
};

/** Lists the cards of a stay with their status. */
export function StayCards({ stay, atStation = false }: StayCardsProps) {
  const { t } = useTranslation();
  const mayIssue = useCan()("cards.issue");
  const actions = useStayActions();
  const [adding, setAdding] = useState(false);
  const cards = useQuery(
    trpc.cards.ofStay.queryOptions({ stayId: stay.id }, { refetchInterval: BY_TIME_MILLISECONDS }),
  );
  const open = (stay.state === "reserved" || stay.state === "checked_in") && !stay.expired;
  const mayAdd = mayIssue && open;
  if (cards.data?.length === 0 && !open && stay.state !== "checked_in") return null;
  const count = cards.data?.filter((card) => card.state === "active" && !hasRunOut(card)).length ?? 0;
  return (
    <Card>
      <CardHeading
        title={t("card.cards")}
        description={count > 0 && t("card.liveCount", { total: formatNumber(count) })}
        actions={
          <>
            {mayAdd && (
              <ActionButton size="sm" variant="ghost" onClick={() => setAdding(true)}>
                <Radio aria-hidden />
                {t("card.air.add")}
              </ActionButton>
            )}
            {mayAdd && !atStation && stay.state === "checked_in" && (
              <ActionButton variant="outline" size="sm" onClick={() => actions.writeCard(stay.id)}>
                <CreditCard aria-hidden />
                {t("card.newCard")}
              </ActionButton>
            )}
          </>
        }
      />
      <CardContent>
        {cards.error && !cards.data ? (
          <ErrorState error={cards.error} onRetry={() => void cards.refetch()} />
        ) : !cards.data ? (
          <Skeleton className="h-12" />
        ) : cards.data.length === 0 ? (
          <p className="text-muted-foreground">{t("card.none")}</p>
        ) : (
          <ul className="grid grid-cols-1 gap-3.5">
            {cards.data.map((card) => (
              <StayCardLine
                key={card.id}
                card={card}
                mayEnd={mayIssue && isLive(card)}
                onWriteAgain={mayAdd && !atStation ? () => actions.writeCard(stay.id) : undefined}
              />
            ))}
          </ul>
        )}
      </CardContent>
      {adding && <AirCardDialog stay={stay} onClose={() => setAdding(false)} />}
    </Card>
  );
}
