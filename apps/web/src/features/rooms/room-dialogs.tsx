import { BulkPricesDialog } from "@/features/prices/bulk-prices-dialog.tsx";
import { CreateRoomDialog } from "./create-room-dialog.tsx";
import { GroupChoiceDialog } from "./group-choice-dialog.tsx";
import { MaintenanceDialog } from "./maintenance-dialog.tsx";

export type RoomDialog = { kind: "create" } | { kind: "maintenance" | "group" | "prices"; roomIds: number[] };

type RoomDialogsProps = {
  dialog: RoomDialog | null;
  onClose: () => void;
  /** In place of `onClose` when the act was done. */
  onDone?: () => void;
};

/** The dialogs that act on rooms; at most one is open. */
export function RoomDialogs({ dialog, onClose, onDone = onClose }: RoomDialogsProps) {
  switch (dialog?.kind) {
    case "create":
      return <CreateRoomDialog onClose={onClose} />;
    case "maintenance":
      return <MaintenanceDialog roomIds={dialog.roomIds} onClose={onClose} onDone={onDone} />;
    case "group":
      return <GroupChoiceDialog roomIds={dialog.roomIds} onClose={onClose} onDone={onDone} />;
    case "prices":
      return <BulkPricesDialog roomIds={dialog.roomIds} onClose={onClose} onDone={onDone} />;
    default:
      return null;
  }
}
