import type { Act } from "@/entities/stay/stay-actions.tsx";
import { CardDialog } from "@/features/cards/writing/guest-card-fields.tsx";
import { StayFaceDialog } from "@/features/faces/face-dialogs.tsx";
import { KeyCheck } from "@/features/locks/key-check/key-check.tsx";
import { LockDisplayTextDialog } from "@/features/locks/lock-display-text-dialog.tsx";
import { NewPasscodeDialog } from "@/features/passcodes/new-passcode-dialog.tsx";
import { ArriveDialog } from "@/features/stays/arrive-dialog.tsx";
import { BookingDialog } from "@/features/stays/booking-dialog.tsx";
import { CancelDialog } from "@/features/stays/cancel-dialog.tsx";
import { ChangeRoomDialog } from "@/features/stays/change-room-dialog.tsx";
import { CheckOutDialog } from "@/features/stays/check-out-dialog.tsx";
import { RenewDialog } from "@/features/stays/renew-dialog.tsx";

const STAY_DIALOGS = {
  arrive: ArriveDialog,
  checkOut: CheckOutDialog,
  renew: RenewDialog,
  changeRoom: ChangeRoomDialog,
  cancel: CancelDialog,
  writeCard: CardDialog,
  addFace: StayFaceDialog,
};

export default function ActDialog({ act, onClose }: { act: Act; onClose: () => void }) {
  if (act.kind === "checkKey") return <KeyCheck target={act.target} onClose={onClose} />;
  if (act.kind === "createPasscode") return <NewPasscodeDialog target={act.target} onClose={onClose} />;
  if (act.kind === "displayText") return <LockDisplayTextDialog roomIds={act.roomIds} onClose={onClose} />;
  if ("roomId" in act)
    return <BookingDialog kind={act.kind} roomId={act.roomId} period={act.period} onClose={onClose} />;
  const StayDialog = STAY_DIALOGS[act.kind];
  return <StayDialog stayId={act.stayId} onClose={onClose} />;
}
