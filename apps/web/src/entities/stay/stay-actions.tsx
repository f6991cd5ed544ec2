import type { Period } from "@innkey/shared/price-rules";
import { useNavigate } from "@tanstack/react-router";
import { type ComponentType, createContext, type ReactNode, Suspense, use, useMemo, useState } from "react";
import { isConnectionLost } from "@/lib/loading/connection.ts";

/** Key to check: a card by its number, or the keys of a room. With null, the dialog asks for one first. */
export type KeyToCheck = { number: string } | { roomId: number } | null;
/** Whom a new code is for: a stay, or rooms, which may still have to be selected. */
export type PasscodeTarget = { stayId: number } | { roomIds: number[] };

/** After which act the keys of a stay are shown, or whether only its cards are to be written. */
export type KeysAfter = "arrival" | "extension" | "move" | "departure" | "cards";

/** A dialog of an action, and what it is about. */
type StayDialog =
  | { name: "checkIn"; roomId: number }
  | { name: "reserve"; roomId: number; period: Period | undefined }
  | { name: "arrive" | "checkOut" | "renew" | "changeRoom" | "cancel" | "addExtra" | "addFace"; stayId: number }
  | { name: "keys"; stayId: number; after: KeysAfter; done?: string }
  | { name: "lostCard"; stayId: number; cardId: number | undefined }
  | { name: "createPasscode"; target: PasscodeTarget }
  | { name: "checkKey"; target: KeyToCheck }
  | { name: "sendDisplayText"; roomIds: number[] };
export type StayActions = {
  checkIn: (roomId: number) => void;
  reserve: (roomId: number, period?: Period) => void;
  /** Checks in the guests of a reservation. */
  arrive: (stayId: number) => void;
  checkOut: (stayId: number) => void;
  renew: (stayId: number) => void;
  changeRoom: (stayId: number) => void;
  /** Charges something that isn't the room. */
  addExtra: (stayId: number) => void;
  /** Writes room cards for the guests in house. */
  writeCard: (stayId: number) => void;
  /** Ends an act with the keys of the stay, in place of the dialog of the act; `done` says what was done. */
  showKeys: (stayId: number, after: KeysAfter, done: string) => void;
  /** Blocks a lost card and writes another one in its place. */
  replaceLostCard: (stayId: number, cardId?: number) => void;
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

export type OpenDialog = { dialog: StayDialog; onClose: () => void };

type StayActionsProviderProps = {
  /** Shows the dialog of an action. It may be a part that is loaded later. */
  Dialog: ComponentType<OpenDialog>;
  children: ReactNode;
};

/** Carries out `StayActions` for board, palette and pages. One dialog is open at a time. */
export function StayActionsProvider({ Dialog, children }: StayActionsProviderProps) {
  const navigate = useNavigate();
  const [dialog, setDialog] = useState<StayDialog | null>(null);

  const actions = useMemo((): StayActions => {
    // The connection bar says why nothing opens. A dialog that opened when the server is back would surprise the
    // operator.
    function open(opened: StayDialog): void {
      if (!isConnectionLost()) setDialog(opened);
    }
    return {
      checkIn: (roomId) => open({ name: "checkIn", roomId }),
      reserve: (roomId, period) => open({ name: "reserve", roomId, period }),
      arrive: (stayId) => open({ name: "arrive", stayId }),
      checkOut: (stayId) => open({ name: "checkOut", stayId }),
      renew: (stayId) => open({ name: "renew", stayId }),
      changeRoom: (stayId) => open({ name: "changeRoom", stayId }),
      addExtra: (stayId) => open({ name: "addExtra", stayId }),
      writeCard: (stayId) => open({ name: "keys", stayId, after: "cards" }),
      showKeys: (stayId, after, done) => open({ name: "keys", stayId, after, done }),
      replaceLostCard: (stayId, cardId) => open({ name: "lostCard", stayId, cardId }),
      addFace: (stayId) => open({ name: "addFace", stayId }),
      createPasscode: (target) => open({ name: "createPasscode", target }),
      cancel: (stayId) => open({ name: "cancel", stayId }),
      checkKey: (target) => open({ name: "checkKey", target }),
      sendDisplayText: (roomIds) => open({ name: "sendDisplayText", roomIds }),
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
          <Dialog dialog={dialog} onClose={() => setDialog(null)} />
        </Suspense>
      )}
    </StayActionsContext>
  );
}
