import { useNavigate } from "@tanstack/react-router";
import { useTranslation } from "@/lib/i18n.ts";
import { Dialog, DialogContent } from "@/ui/primitives/dialog.tsx";
import { RoomForm } from "./room-form.tsx";

/** Creates a room, then opens its prices, because a room without prices can't be booked. */
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
