import type { StayDetail } from "@innkey/shared/schemas/stays";
import { ScanFace } from "lucide-react";
import { useStayActions } from "@/entities/stay/stay-actions.tsx";
import { useTranslation } from "@/lib/i18n.ts";
import { useCan } from "@/lib/session.ts";
import { Button } from "@/ui/primitives/button.tsx";
import { GrantsCard } from "./grants-card.tsx";

/** Lists the faces that open a stay's door. */
export function StayFaces({ stay }: { stay: StayDetail }) {
  const { t } = useTranslation();
  const manage = useCan()("faces.manage");
  const stays = useStayActions();
  const open = (stay.state === "reserved" || stay.state === "checked_in") && !stay.expired;
  return (
    <GrantsCard
      of={{ stayId: stay.id }}
      none={open ? t("face.noneOfStay") : null}
      actions={
        manage &&
        open && (
          <Button size="sm" variant="ghost" needsServer onClick={() => stays.addFace(stay.id)}>
            <ScanFace aria-hidden />
            {t("face.add")}
          </Button>
        )
      }
    />
  );
}
