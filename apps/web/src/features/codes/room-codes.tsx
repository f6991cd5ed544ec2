import type { RoomDetail } from "@innkey/shared/schemas/property/rooms";
import { Hash, Plus } from "lucide-react";
import { useStayActions } from "@/entities/stay/stay-actions.tsx";
import { useTranslation } from "@/lib/i18n.ts";
import { useCan } from "@/lib/session.ts";
import { ActionButton } from "@/ui/action/action-button.tsx";
import { PasscodeTable } from "./passcode-table.tsx";

/** Lists the codes that open one room's door. */
export function RoomCodes({ room }: { room: RoomDetail }) {
  const { t } = useTranslation();
  const stays = useStayActions();
  const mayIssue = useCan()("passcodes.issue") && room.lock !== null;
  return (
    <PasscodeTable
      inRoom
      filter={{ state: "live", roomId: room.id }}
      empty={{
        icon: Hash,
        title: t("passcode.noneOfRoom"),
        description: room.lock ? t("passcode.noneText") : t("errors.lock_missing"),
      }}
      toolbar={
        <>
          <h2 className="text-lg font-semibold">{t("nav.passcodes")}</h2>
          {mayIssue && (
            <ActionButton variant="outline" size="sm" onClick={() => stays.newCode({ roomIds: [room.id] })}>
              <Plus aria-hidden />
              {t("passcode.new")}
            </ActionButton>
          )}
        </>
      }
    />
  );
}
