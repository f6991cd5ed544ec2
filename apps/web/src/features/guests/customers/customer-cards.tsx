import type { CustomerDetail } from "@innkey/shared/schemas/customers";
import { CreditCard } from "lucide-react";
import { CardStateChip } from "@/entities/credential/card-state.tsx";
import { useStayActions } from "@/entities/stay/stay-actions.tsx";
import { formatShort } from "@/lib/format.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { useHotel } from "@/lib/session.ts";
import { Card, CardBody, CardHeader } from "@/ui/primitives/card.tsx";

type Cards = NonNullable<CustomerDetail["cards"]>;

/** Lists active cards of the customer's stays, and those that may still open doors. */
export function CustomerCards({ cards }: { cards: Cards }) {
  const { t } = useTranslation();
  return (
    <Card>
      <CardHeader title={t("customer.cards")} />
      {cards.length === 0 ? (
        <CardBody className="text-muted-foreground">{t("customer.noCards")}</CardBody>
      ) : (
        <ul className="divide-y border-t">
          {cards.map((card) => (
            <CardLine key={card.id} card={card} />
          ))}
        </ul>
      )}
    </Card>
  );
}

function CardLine({ card }: { card: Cards[number] }) {
  const { t } = useTranslation();
  const { timeZone } = useHotel();
  const stays = useStayActions();
  const { stayGuestId, guestName, roomName, validTo } = card;
  const facts = [roomName, validTo && t("card.until", { when: formatShort(validTo, timeZone) })];
  return (
    <li className="flex items-start gap-3 px-5 py-3">
      <CreditCard aria-hidden className="mt-0.5 size-4 shrink-0 text-muted-foreground" />
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <bdi className="font-mono font-medium" dir="ltr">
            {card.uid}
          </bdi>
          <CardStateChip card={card} />
        </p>
        <p className="text-sm text-muted-foreground">
          {stayGuestId !== null && (
            <>
              <button
                type="button"
                className="underline decoration-border underline-offset-4 hover:decoration-current"
                onClick={() => stays.openStay(stayGuestId)}
              >
                <bdi>{guestName}</bdi>
              </button>
              {" · "}
            </>
          )}
          {facts.filter(Boolean).join(" · ")}
        </p>
      </div>
    </li>
  );
}
