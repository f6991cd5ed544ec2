import { CardDialog } from "../cards/card-dialog.tsx";
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
};

export default function ActDialog({ act, onClose }: { act: Act; onClose: () => void }) {
  if ("roomId" in act) return <BookingDialog kind={act.kind} roomId={act.roomId} onClose={onClose} />;
  const StayDialog = STAY_DIALOGS[act.kind];
  return <StayDialog stayId={act.stayId} onClose={onClose} />;
}
