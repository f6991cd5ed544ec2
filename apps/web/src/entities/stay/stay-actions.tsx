import type { Period } from "@innkey/shared/price-rules";
import { useNavigate } from "@tanstack/react-router";
import { type ComponentType, createContext, type ReactNode, Suspense, use, useMemo, useState } from "react";
import { isConnectionLost } from "@/lib/loading/connection.ts";

/** Key to check: a card by its number, or the keys of a room. With null, the dialog asks for one first. */
export type KeyToCheck = { number: string } | { roomId: number } | null;
/** Whom a new code is for: a stay, or rooms, which may still have to be selected. */
export type PasscodeTarget = { stayId: number } | { roomIds: number[] };

/** The actions that open a dialog, and what each of them is about. */
export type StayDialogs = {
  checkIn: { roomId: number };
  reserve: { roomId: number; period?: Period | undefined };
  arrive: { stayId: number };
  checkOut: { stayId: number };
  renew: { stayId: number };
  changeRoom: { stayId: number };
  cancel: { stayId: number };
  writeCard: { stayId: number };
  addFace: { stayId: number };
  createPasscode: { target: PasscodeTarget };
  checkKey: { target: KeyToCheck };
  sendDisplayText: { roomIds: number[] };
};
export type StayDialogName = keyof StayDialogs;
export type StayActions = {
  checkIn: (roomId: number) => void;
  reserve: (roomId: number, period?: Period) => void;
  /** Checks in the guests of a reservation. */
  arrive: (stayId: number) => void;
  checkOut: (stayId: number) => void;
  renew: (stayId: number) => void;
  changeRoom: (stayId: number) => void;
  /** Issues a room card for a guest in house. */
  writeCard: (stayId: number) => void;
  /** Registers a face that opens the stay's door. */
  addFace: (stayId: number) => void;
  createPasscode: (target: PasscodeTarget) => void;
  /** Explains why a key doesn't open its door. */
  checkKey: (target: KeyToCheck) => void;
  /** Sends a text to the displays of the rooms' locks. */
  sendDisplayText: (roomIds: number[]) => void;
  /** Cancels a reservation. */
  cancel: (stayId: number) => void;
  /** Opens the guest's page. */
  openStay: (stayGuestId: number, otherInformation?: string) => void;
};

const StayActionsContext = createContext<StayActions | null>(null);

/** Opens the dialogs that act on a stay, from anywhere in the console. */
export function useStayActions(): StayActions {
  const actions = use(StayActionsContext);
  if (!actions) throw new Error("useStayActions outside of StayActionsProvider");
  return actions;
}

export type OpenDialog = { name: StayDialogName; about: StayDialogs[StayDialogName]; onClose: () => void };

type StayActionsProviderProps = {
  /** Shows the dialog of an action. It may be a part that is loaded later. */
  Dialog: ComponentType<OpenDialog>;
  children: ReactNode;
};

/** Carries out `StayActions` for board, palette and pages. One dialog is open at a time. */
export function StayActionsProvider({ Dialog, children }: StayActionsProviderProps) {
  const navigate = useNavigate();
  const [dialog, setDialog] = useState<Omit<OpenDialog, "onClose"> | null>(null);

  const actions = useMemo((): StayActions => {
    // The connection bar says why nothing opens. A dialog that opened when the server is back would surprise the
    // operator.
    function open<Name extends StayDialogName>(name: Name, about: StayDialogs[Name]): void {
      if (!isConnectionLost()) setDialog({ name, about });
    }
    return {
      checkIn: (roomId) => open("checkIn", { roomId }),
      reserve: (roomId, period) => open("reserve", { roomId, period }),
      arrive: (stayId) => open("arrive", { stayId }),
      checkOut: (stayId) => open("checkOut", { stayId }),
      renew: (stayId) => open("renew", { stayId }),
      changeRoom: (stayId) => open("changeRoom", { stayId }),
      writeCard: (stayId) => open("writeCard", { stayId }),
      addFace: (stayId) => open("addFace", { stayId }),
      createPasscode: (target) => open("createPasscode", { target }),
      cancel: (stayId) => open("cancel", { stayId }),
      checkKey: (target) => open("checkKey", { target }),
      sendDisplayText: (roomIds) => open("sendDisplayText", { roomIds }),
      openStay: (stayGuestId, otherInformation) =>
        void navigate({
          to: "/room/thetouristsDetails",
          search: { id: stayGuestId, other_information: otherInformation || undefined },
        }),
    };
  }, [navigate]);

  return (
    <StayActionsContext value={actions}>
      {children}
      {dialog && (
        <Suspense>
          <Dialog {...dialog} onClose={() => setDialog(null)} />
        </Suspense>
      )}
    </StayActionsContext>
  );
}
