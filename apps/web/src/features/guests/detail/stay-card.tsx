import type { StayDetail } from "@innkey/shared/schemas/stays";
import { Link } from "@tanstack/react-router";
import { Pencil } from "lucide-react";
import { useState } from "react";
import { quantityOf } from "@/entities/stay/period.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { useCan, useHotel } from "@/lib/session.ts";
import { Fact } from "@/ui/fact.tsx";
import { Button } from "@/ui/primitives/button.tsx";
import { Card, CardBody, CardHeader } from "@/ui/primitives/card.tsx";
import { EditStayDialog } from "./edit-stay-dialog.tsx";
import { StayProgress } from "./stay-progress.tsx";

export function StayCard({ stay }: { stay: StayDetail }) {
  const { t } = useTranslation();
  const can = useCan();
  const hotel = useHotel();
  const [editing, setEditing] = useState(false);
  const open = stay.state === "reserved" || stay.state === "checked_in";
  const yesNo = (value: boolean): string => (value ? t("guest.yes") : t("guest.no"));
  const quantity = quantityOf(stay, stay.unit, hotel);

  return (
    <Card>
      <CardHeader
        title={t("guest.stay")}
        actions={
          open &&
          can("stays.manage") && (
            <Button size="sm" variant="ghost" needsServer onClick={() => setEditing(true)}>
              <Pencil aria-hidden />
              {t("common.edit")}
            </Button>
          )
        }
      />
      <CardBody className="grid gap-5">
        <StayProgress stay={stay} />
        <dl className="grid grid-cols-2 gap-x-6 gap-y-3.5 border-t pt-4 sm:grid-cols-3">
          <Fact label={t("guest.room")}>
            {can("rooms.view") ? (
              <Link
                to="/room/$roomId"
                params={{ roomId: stay.room.id }}
                className="font-medium underline decoration-border underline-offset-4 hover:decoration-current"
              >
                <bdi>{stay.room.name}</bdi>
              </Link>
            ) : (
              <bdi className="font-medium">{stay.room.name}</bdi>
            )}
          </Fact>
          <Fact label={t("guest.length")}>
            {quantity > 0 && t(`stay.quantityOf.${stay.unit}`, { count: quantity })}
          </Fact>
          <Fact label={t("stay.customer")}>{stay.customer?.name || undefined}</Fact>
          <Fact label={t("stay.breakfast")}>{yesNo(stay.breakfast)}</Fact>
          <Fact label={t("stay.idCardMatch")}>{yesNo(stay.idCardMatch)}</Fact>
          <Fact label={t("stay.disableOldCards")}>{yesNo(stay.disableOldCards)}</Fact>
          <Fact label={t("stay.otherInformation")} className="col-span-full">
            {stay.otherInformation && <span className="whitespace-pre-wrap">{stay.otherInformation}</span>}
          </Fact>
        </dl>
      </CardBody>
      {editing && <EditStayDialog stay={stay} onClose={() => setEditing(false)} />}
    </Card>
  );
}
