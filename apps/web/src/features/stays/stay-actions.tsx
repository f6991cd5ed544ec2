import { useNavigate } from "@tanstack/react-router";
import { createContext, type ReactNode, use, useMemo, useState } from "react";
import { ArriveDialog } from "./arrive-dialog.tsx";
import { BookingDialog } from "./booking/booking-dialog.tsx";
import { CancelDialog } from "./cancel-dialog.tsx";
import { ChangeRoomDialog } from "./change-room-dialog.tsx";
import { CheckOutDialog } from "./check-out-dialog.tsx";
import { RenewDialog } from "./renew-dialog.tsx";

type Act =
  | { kind: "checkIn" | "reserve"; roomId: number }
  | { kind: "arrive" | "checkOut" | "renew" | "changeRoom" | "cancel"; stayId: number };

export type StayActions = {
  checkIn: (roomId: number) => void;
  reserve: (roomId: number) => void;
  /** The party of a reservation checks in. */
  arrive: (stayId: number) => void;
  checkOut: (stayId: number) => void;
  renew: (stayId: number) => void;
  changeRoom: (stayId: number) => void;
  /** Gives a reservation up. */
  cancel: (stayId: number) => void;
  /** Goes to the guest's page. */
  openStay: (manageId: number, otherInformation?: string) => void;
};

const Context = createContext<StayActions | null>(null);

const STAY_DIALOGS = {
  arrive: ArriveDialog,
  checkOut: CheckOutDialog,
  renew: RenewDialog,
  changeRoom: ChangeRoomDialog,
  cancel: CancelDialog,
};

/** Opens what is done with a stay from anywhere in the console: board, palette, guest page. One at a time. */
export function StayActionsProvider({ children }: { children: ReactNode }) {
  const navigate = useNavigate();
  const [act, setAct] = useState<Act | null>(null);

  const actions = useMemo((): StayActions => {
    const onRoom = (kind: "checkIn" | "reserve") => (roomId: number) => setAct({ kind, roomId });
    const onStay = (kind: keyof typeof STAY_DIALOGS) => (stayId: number) => setAct({ kind, stayId });
    return {
      checkIn: onRoom("checkIn"),
      reserve: onRoom("reserve"),
      arrive: onStay("arrive"),
      checkOut: onStay("checkOut"),
      renew: onStay("renew"),
      changeRoom: onStay("changeRoom"),
      cancel: onStay("cancel"),
      openStay: (manageId, otherInformation) =>
        void navigate({
          to: "/room/thetouristsDetails",
          search: { id: manageId, other_information: otherInformation || undefined },
        }),
    };
  }, [navigate]);

  return (
    <Context value={actions}>
      {children}
      {act && <ActDialog act={act} onClose={() => setAct(null)} />}
    </Context>
  );
}

function ActDialog({ act, onClose }: { act: Act; onClose: () => void }) {
  if ("roomId" in act) return <BookingDialog kind={act.kind} roomId={act.roomId} onClose={onClose} />;
  const StayAct = STAY_DIALOGS[act.kind];
  return <StayAct stayId={act.stayId} onClose={onClose} />;
}

export function useStayActions(): StayActions {
  const actions = use(Context);
  if (!actions) throw new Error("useStayActions outside of StayActionsProvider");
  return actions;
}
