import type { CardRow, CardState } from "@innkey/shared/schemas/cards";
import type { StayDetail } from "@innkey/shared/schemas/stays";
import { useMutation, useQuery } from "@tanstack/react-query";
import { CreditCard, Undo2 } from "lucide-react";
import { confirm } from "@/components/confirm.tsx";
import { ErrorState } from "@/components/error-state.tsx";
import { Button } from "@/components/ui/button.tsx";
import { Card, CardBody, CardHeader } from "@/components/ui/card.tsx";
import { IconButton } from "@/components/ui/icon-button.tsx";
import { Skeleton } from "@/components/ui/skeleton.tsx";
import { StatusChip } from "@/components/ui/status-chip.tsx";
import { formatShort } from "@/lib/format.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { useCan, useHotel } from "@/lib/session.ts";
import { trpc } from "@/lib/trpc.ts";
import { refreshEverything } from "../stays/refresh.ts";
import { useStayActions } from "../stays/stay-actions.tsx";

const TONES = { pending: "info", active: "success", revoking: "expired", revoked: "neutral" } as const satisfies Record<
  CardState,
  string
>;

/** The cards written for a stay, and how far each may be trusted. */
export function StayCards({ stay }: { stay: StayDetail }) {
  const { t } = useTranslation();
  const can = useCan();
  const actions = useStayActions();
  const cards = useQuery(trpc.cards.ofStay.queryOptions({ stayId: stay.id }));
  if (cards.data?.length === 0 && stay.state !== "checked_in") return null;
  const mayWrite = can("cards.issue") && stay.state === "checked_in" && !stay.expired;
  return (
    <Card>
      <CardHeader
        title={t("card.cards")}
        actions={
          mayWrite && (
            <Button size="sm" onClick={() => actions.writeCard(stay.id)}>
              <CreditCard aria-hidden />
              {t("card.newCard")}
            </Button>
          )
        }
      />
      <CardBody>
        {cards.error ? (
          <ErrorState error={cards.error} onRetry={() => void cards.refetch()} />
        ) : !cards.data ? (
          <Skeleton className="h-12" />
        ) : cards.data.length === 0 ? (
          <p className="text-muted-foreground">{t("card.none")}</p>
        ) : (
          <ul className="grid gap-3">
            {cards.data.map((card) => (
              <CardLine key={card.id} card={card} mayTakeBack={can("cards.issue")} />
            ))}
          </ul>
        )}
      </CardBody>
    </Card>
  );
}

function CardLine({ card, mayTakeBack }: { card: CardRow; mayTakeBack: boolean }) {
  const { t } = useTranslation();
  const { timeZone } = useHotel();
  const revoke = useMutation(trpc.cards.revoke.mutationOptions({ onSettled: refreshEverything }));
  const live = card.state === "pending" || card.state === "active";

  function takeBack(): void {
    void confirm({
      title: t("card.takeBackTitle", { uid: card.uid }),
      description: t("card.takeBackText"),
      confirmLabel: t("card.takeBack"),
      tone: "danger",
      action: () => revoke.mutateAsync({ cardId: card.id }),
    });
  }

  return (
    <li className="flex items-start gap-3">
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-2">
          <bdi className="font-mono font-medium">{card.uid}</bdi>
          <StatusChip tone={TONES[card.state]} size="sm">
            {t(`card.state.${card.state}`)}
          </StatusChip>
        </p>
        <p className="text-sm text-muted-foreground">
          {[card.roomName, card.validTo && t("card.until", { when: formatShort(card.validTo, timeZone) }), card.note]
            .filter(Boolean)
            .join(" · ")}
        </p>
        {card.tooShort && <p className="text-sm font-medium text-expired">{t("card.tooShort")}</p>}
        {card.state === "revoking" && <p className="text-sm text-expired">{t("card.mayStillOpen")}</p>}
      </div>
      {live && mayTakeBack && (
        <IconButton icon={Undo2} size="iconSm" label={t("card.takeBackNamed", { uid: card.uid })} onClick={takeBack} />
      )}
    </li>
  );
}
