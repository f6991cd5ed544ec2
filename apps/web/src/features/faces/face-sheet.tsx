import type { FaceRow } from "@innkey/shared/schemas/access/faces";
import { Undo2 } from "lucide-react";
import { DoorsList } from "@/entities/credential/doors-chip.tsx";
import { windowText } from "@/entities/lock/lock-words.ts";
import { formatDateTime } from "@/lib/format.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { useCan, useHotel } from "@/lib/session.ts";
import { ActionButton } from "@/ui/action/action-button.tsx";
import { IconButton } from "@/ui/action/icon-button.tsx";
import { SheetPanel } from "@/ui/dialog/panel.tsx";
import { Fact } from "@/ui/fact.tsx";
import { Sheet } from "@/ui/primitives/sheet.tsx";
import type { RowAction } from "@/ui/table/columns.ts";
import { FacePicture } from "./face-tile.tsx";
import { useFaceActs } from "./use-face-acts.ts";

type FaceSheetProps = { face: FaceRow; actions: readonly RowAction<FaceRow>[]; onClose: () => void };

/** Details of one face: who consented and when, and its status at each lock. */
export function FaceSheet({ face, actions, onClose }: FaceSheetProps) {
  const { t } = useTranslation();
  const { timeZone } = useHotel();
  const manage = useCan()("faces.manage");
  const acts = useFaceActs();
  const { note, guestName, imageUrl, consentAt, createdAt, operatorName, grants } = face;
  return (
    <Sheet open onOpenChange={(open) => !open && onClose()}>
      <SheetPanel
        title={<bdi>{note}</bdi>}
        description={guestName ?? undefined}
        footer={
          actions.length > 0 &&
          actions.map(({ label, icon: Icon, danger, needsServer = true, onSelect }) => (
            <ActionButton
              key={label}
              size="sm"
              variant={danger ? "ghost-destructive" : "outline"}
              needsServer={needsServer}
              onClick={() => onSelect(face)}
            >
              {Icon && <Icon aria-hidden />}
              {label}
            </ActionButton>
          ))
        }
      >
        <div className="grid grid-cols-1 gap-5">
          <FacePicture url={imageUrl} note={note} className="aspect-4/3 w-full rounded-lg border" />
          <dl className="grid gap-4 sm:grid-cols-2">
            <Fact label={t("face.consentGiven")}>{formatDateTime(consentAt, timeZone)}</Fact>
            <Fact label={t("face.takenIn")}>
              <bdi>{operatorName ?? "–"}</bdi>, {formatDateTime(createdAt, timeZone)}
            </Fact>
          </dl>
          <section aria-labelledby="face-doors">
            <h3 id="face-doors" className="mb-2 font-semibold">
              {t("passcode.standing")}
            </h3>
            {grants.length === 0 ? (
              <p className="text-muted-foreground">{t("face.opensNone")}</p>
            ) : (
              <DoorsList
                credentials={grants}
                after={(grant) => (
                  <>
                    {manage && grant.state !== "revoking" && (
                      <IconButton
                        icon={Undo2}
                        size="icon-sm"
                        needsServer
                        label={t("face.withdrawFrom", { room: grant.roomName ?? "–" })}
                        onClick={() => acts.askToWithdraw(grant)}
                      />
                    )}
                    <span className="basis-full text-sm text-muted-foreground">
                      {windowText(grant.validFrom, grant.validTo, timeZone)}
                    </span>
                  </>
                )}
              />
            )}
          </section>
        </div>
      </SheetPanel>
    </Sheet>
  );
}
