import type { ReactElement } from "react";
import { ExtraChargeDialog } from "@/entities/stay/extra-charge.tsx";
import type { OpenDialog } from "@/entities/stay/stay-actions.tsx";
import { StayFaceDialog } from "@/features/faces/face-dialogs.tsx";
import { KeyCheck } from "@/features/locks/key-check/key-check.tsx";
import { LockDisplayTextDialog } from "@/features/locks/lock-display-text-dialog.tsx";
import { NewPasscodeDialog } from "@/features/passcodes/new-passcode-dialog.tsx";
import { ArriveDialog } from "@/features/stays/arrive-dialog.tsx";
import { BookingDialog } from "@/features/stays/booking-dialog.tsx";
import { CancelDialog } from "@/features/stays/cancel-dialog.tsx";
import { ChangeRoomDialog } from "@/features/stays/change-room-dialog.tsx";
import { CheckOutDialog } from "@/features/stays/check-out-dialog.tsx";
import { FindRoomDialog } from "@/features/stays/find-room-dialog.tsx";
import { NoShowDialog } from "@/features/stays/no-show-dialog.tsx";
import { ReinstateDialog } from "@/features/stays/reinstate-dialog.tsx";
import { RenewDialog } from "@/features/stays/renew-dialog.tsx";
import { UndoCheckInDialog } from "@/features/stays/undo-check-in-dialog.tsx";
import { UndoCheckOutDialog } from "@/features/stays/undo-check-out-dialog.tsx";
import ChangeDialog from "@/features/timeline/change/change-dialog.tsx";
import { KeysDialog } from "./keys/keys-dialog.tsx";
import { LostCardDialog } from "./keys/lost-card-dialog.tsx";

/** Shows the dialog of an action. */
export default function ActionDialog({ dialog, onClose }: OpenDialog): ReactElement {
  switch (dialog.name) {
    case "findRoom":
      return <FindRoomDialog onClose={onClose} />;
    case "checkIn":
    case "reserve":
      return <BookingDialog kind={dialog.name} roomId={dialog.roomId} period={dialog.period} onClose={onClose} />;
    case "arrive":
      return <ArriveDialog stayId={dialog.stayId} onClose={onClose} />;
    case "undoCheckIn":
      return <UndoCheckInDialog stayId={dialog.stayId} onClose={onClose} />;
    case "checkOut":
      return <CheckOutDialog stayId={dialog.stayId} onClose={onClose} />;
    case "undoCheckOut":
      return <UndoCheckOutDialog stayId={dialog.stayId} onClose={onClose} />;
    case "renew":
      return <RenewDialog stayId={dialog.stayId} renewal={dialog.renewal} onClose={onClose} />;
    case "changeRoom":
      return <ChangeRoomDialog stayId={dialog.stayId} change={dialog.change} onClose={onClose} />;
    case "changeTo":
      return <ChangeDialog target={dialog.target} onClose={onClose} />;
    case "cancel":
      return <CancelDialog stayId={dialog.stayId} onClose={onClose} />;
    case "noShow":
      return <NoShowDialog stayId={dialog.stayId} onClose={onClose} />;
    case "reinstate":
      return <ReinstateDialog stayId={dialog.stayId} onClose={onClose} />;
    case "addExtra":
      return <ExtraChargeDialog stayId={dialog.stayId} onClose={onClose} />;
    case "keys":
      return <KeysDialog stayId={dialog.stayId} after={dialog.after} done={dialog.done} onClose={onClose} />;
    case "lostCard":
      return <LostCardDialog stayId={dialog.stayId} cardId={dialog.cardId} onClose={onClose} />;
    case "addFace":
      return <StayFaceDialog stayId={dialog.stayId} onClose={onClose} />;
    case "createPasscode":
      return <NewPasscodeDialog target={dialog.target} onClose={onClose} />;
    case "checkKey":
      return <KeyCheck target={dialog.target} onClose={onClose} />;
    case "sendDisplayText":
      return <LockDisplayTextDialog roomId={dialog.roomId} onClose={onClose} />;
  }
}
