import type { PasscodeRow } from "@innkey/shared/schemas/passcodes";
import { Link } from "@tanstack/react-router";
import { DoorsList } from "@/entities/credential/doors-list.tsx";
import { RiskLink } from "@/entities/credential/risk-link.tsx";
import { formatDateTime } from "@/lib/format.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { useCan, useHotel } from "@/lib/session.ts";
import { Fact } from "@/ui/fact.tsx";
import { Alert } from "@/ui/primitives/alert.tsx";
import { Button } from "@/ui/primitives/button.tsx";
import { Sheet, SheetContent } from "@/ui/primitives/sheet.tsx";
import type { RowAction } from "@/ui/table/columns.ts";
import { periodText } from "./period-text.ts";

type PasscodeSheetProps = {
  passcode: PasscodeRow;
  actions: readonly RowAction<PasscodeRow>[];
  onClose: () => void;
};

/** Details of one code: its holder, its period, and its status at each lock. */
export function PasscodeSheet({ passcode, actions, onClose }: PasscodeSheetProps) {
  const { t } = useTranslation();
  const { timeZone } = useHotel();
  const can = useCan();
  const { person, note, type, stayGuestId, credentials, createdAt, operatorName } = passcode;
  return (
    <Sheet open onOpenChange={(open) => !open && onClose()}>
      <SheetContent
        title={<bdi>{person}</bdi>}
        description={t(`locks.passcodeType.${type}`)}
        footer={
          actions.length > 0 &&
          actions.map(({ label, icon: Icon, danger, needsServer = true, onSelect }) => (
            <Button
              key={label}
              size="sm"
              variant={danger ? "dangerQuiet" : "secondary"}
              needsServer={needsServer}
              onClick={() => onSelect(passcode)}
            >
              {Icon && <Icon aria-hidden />}
              {label}
            </Button>
          ))
        }
      >
        <div className="grid grid-cols-1 gap-5">
          {credentials.some(({ state }) => state === "revoking") && (
            <Alert tone="warning" title={t("passcode.mayStillOpen")} actions={can("locks.view") && <RiskLink />} />
          )}
          <dl className="grid gap-4 sm:grid-cols-2">
            <Fact label={t("passcode.period")}>{periodText(passcode, timeZone)}</Fact>
            <Fact label={t("passcode.issued")}>
              <bdi>{operatorName ?? "–"}</bdi>, {formatDateTime(createdAt, timeZone)}
            </Fact>
            {note && (
              <Fact label={t("passcode.note")} className="col-span-full">
                {note}
              </Fact>
            )}
            {stayGuestId !== null && can("stays.view") && (
              <Fact label={t("guest.stay")}>
                <Link
                  to="/room/thetouristsDetails"
                  search={{ id: stayGuestId }}
                  className="underline decoration-border underline-offset-4 hover:decoration-current"
                >
                  {t("board.guestDetails")}
                </Link>
              </Fact>
            )}
          </dl>
          <section aria-labelledby="passcode-doors">
            <h3 id="passcode-doors" className="mb-2 font-semibold">
              {t("passcode.standing")}
            </h3>
            <DoorsList credentials={credentials} once={type === "one_time"} />
          </section>
        </div>
      </SheetContent>
    </Sheet>
  );
}
