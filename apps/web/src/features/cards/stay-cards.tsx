import type { StayDetail } from "@innkey/shared/schemas/stays";
import { useQuery } from "@tanstack/react-query";
import { CreditCard, Radio } from "lucide-react";
import { useState } from "react";
import { hasRunOut } from "@/entities/credential/card-state.tsx";
import { useStayActions } from "@/entities/stay/stay-actions.tsx";
import { formatNumber } from "@/lib/format.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { useCan } from "@/lib/session.ts";
import { trpc } from "@/lib/trpc.ts";
import { ErrorState } from "@/ui/error-state.tsx";
import { Button } from "@/ui/primitives/button.tsx";
import { Card, CardBody, CardHeader } from "@/ui/primitives/card.tsx";
import { Skeleton } from "@/ui/primitives/skeleton.tsx";
import { AirCardDialog } from "./air-card-dialog.tsx";
import { StayCardLine } from "./stay-card-line.tsx";
import { isLive } from "./use-card-acts.ts";

/** A lock may receive, refuse or lose the card at any time, as with door codes. */
const REFRESH_MILLISECONDS = 5000;

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
    trpc.cards.ofStay.queryOptions({ stayId: stay.id }, { refetchInterval: REFRESH_MILLISECONDS }),
  );
  const open = (stay.state === "reserved" || stay.state === "checked_in") && !stay.expired;
  const mayAdd = mayIssue && open;
  if (cards.data?.length === 0 && !open && stay.state !== "checked_in") return null;
  const count = cards.data?.filter((card) => card.state === "active" && !hasRunOut(card)).length ?? 0;
  return (
    <Card>
      <CardHeader
        title={t("card.cards")}
        description={count > 0 && t("card.liveCount", { total: formatNumber(count) })}
        actions={
          <>
            {mayAdd && (
              <Button size="sm" variant="ghost" needsServer onClick={() => setAdding(true)}>
                <Radio aria-hidden />
                {t("card.air.add")}
              </Button>
            )}
            {mayAdd && !atStation && stay.state === "checked_in" && (
              <Button size="sm" needsServer onClick={() => actions.writeCard(stay.id)}>
                <CreditCard aria-hidden />
                {t("card.newCard")}
              </Button>
            )}
          </>
        }
      />
      <CardBody>
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
      </CardBody>
      {adding && <AirCardDialog stay={stay} onClose={() => setAdding(false)} />}
    </Card>
  );
}
