import { CardDialog } from "../cards/card-dialog.tsx";
import { StayFaceDialog } from "../faces/stay-face-dialog.tsx";
import { KeyCheck } from "../locks/key-check.tsx";
import { NoticeDialog } from "../locks/notice-dialog.tsx";
import { NewCodeDialog } from "../passcodes/new-code-dialog.tsx";
import { ArriveDialog } from "./arrive-dialog.tsx";
import { BookingDialog } from "./booking/booking-dialog.tsx";
import { CancelDialog } from "./cancel-dialog.tsx";
import { ChangeRoomDialog } from "./change-room-dialog.tsx";
import { CheckOutDialog } from "./check-out-dialog.tsx";
import { RenewDialog } from "./renew-dialog.tsx";
import type { Act } from "./stay-actions.tsx";

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
  if (act.kind === "checkKey") return <KeyCheck of={act.of} onClose={onClose} />;
  if (act.kind === "newCode") return <NewCodeDialog of={act.of} onClose={onClose} />;
  if (act.kind === "notice") return <NoticeDialog roomIds={act.roomIds} onClose={onClose} />;
  if ("roomId" in act)
    return <BookingDialog kind={act.kind} roomId={act.roomId} period={act.period} onClose={onClose} />;
  const StayDialog = STAY_DIALOGS[act.kind];
  return <StayDialog stayId={act.stayId} onClose={onClose} />;
}
