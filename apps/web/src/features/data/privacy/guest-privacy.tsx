import type { StayDetail } from "@innkey/shared/schemas/stays";
import { FORGOTTEN } from "@innkey/shared/words";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "@/lib/i18n.ts";
import { Button } from "@/ui/primitives/button.tsx";
import { Card, CardBody, CardHeader } from "@/ui/primitives/card.tsx";
import { PersonActs } from "./person-acts.tsx";

/** Privacy actions for one guest, shown on the guest's page. */
export function GuestPrivacy({ stay, stayGuestId }: { stay: StayDetail; stayGuestId: number }) {
  const { t } = useTranslation();
  const guest = stay.guests.find((one) => one.stayGuestId === stayGuestId);
  if (!guest) return null;
  const live = stay.state === "reserved" || stay.state === "checked_in";
  return (
    <Card>
      <CardHeader
        title={t("nav.privacy")}
        actions={
          <Button asChild size="sm" variant="ghost">
            <Link to="/privacy" search={{ person: guest.guestId }}>
              {t("privacy.kept")}
            </Link>
          </Button>
        }
      />
      <CardBody>
        <PersonActs guestId={guest.guestId} name={guest.name} blocked={live} erased={guest.name === FORGOTTEN} />
      </CardBody>
    </Card>
  );
}
