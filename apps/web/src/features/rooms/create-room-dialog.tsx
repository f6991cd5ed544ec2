import { useNavigate } from "@tanstack/react-router";
import { useTranslation } from "@/lib/i18n.ts";
import { Dialog, DialogContent } from "@/ui/primitives/dialog.tsx";
import { RoomForm } from "./room-form.tsx";

/** A new room; afterwards its prices are asked for, because without them it can't be let. */
export default function CreateRoomDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent width="lg" title={t("room.newTitle")} description={t("room.newText")}>
        <RoomForm
          onCancel={onClose}
          onSaved={(roomId) => {
            onClose();
            void navigate({ to: "/room/$roomId", params: { roomId: roomId }, search: { tab: "prices" } });
          }}
        />
      </DialogContent>
    </Dialog>
  );
}
