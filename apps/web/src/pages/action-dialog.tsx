import type { ComponentType } from "react";
import type { OpenDialog, StayDialogName, StayDialogs } from "@/entities/stay/stay-actions.tsx";
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

type PropsOf<Name extends StayDialogName> = StayDialogs[Name] & { onClose: () => void };

const DIALOGS: { [Name in StayDialogName]: ComponentType<PropsOf<Name>> } = {
  checkIn: (props) => <BookingDialog kind="checkIn" {...props} />,
  reserve: (props) => <BookingDialog kind="reserve" {...props} />,
  arrive: ArriveDialog,
  checkOut: CheckOutDialog,
  renew: RenewDialog,
  changeRoom: ChangeRoomDialog,
  cancel: CancelDialog,
  writeCard: CardDialog,
  addFace: StayFaceDialog,
  createPasscode: NewPasscodeDialog,
  checkKey: KeyCheck,
  sendDisplayText: LockDisplayTextDialog,
};

/** Shows the dialog of an action. The provider opens each dialog only with what it is about. */
export default function ActionDialog({ name, about, onClose }: OpenDialog) {
  const Dialog = DIALOGS[name] as ComponentType<object>;
  return <Dialog {...about} {...{ onClose }} />;
}
