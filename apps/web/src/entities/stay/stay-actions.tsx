import type { Period } from "@innkey/shared/quote";
import { useNavigate } from "@tanstack/react-router";
import { type ComponentType, createContext, type ReactNode, Suspense, use, useMemo, useState } from "react";
import { isConnectionLost } from "@/lib/loading/connection.ts";

type StayAct = "writeCard" | "addFace" | "arrive" | "checkOut" | "renew" | "changeRoom" | "cancel";
/** Key to check: a card by its number, or the keys of a room. With null, the dialog asks for one first. */
export type KeyToCheck = { number: string } | { roomId: number } | null;
/** Whom a new code is for: a stay, or rooms, which may still have to be selected. */
export type PasscodeTarget = { stayId: number } | { roomIds: number[] };
export type Act =
  | { kind: "checkIn" | "reserve"; roomId: number; period?: Period }
  | { kind: StayAct; stayId: number }
  | { kind: "checkKey"; target: KeyToCheck }
  | { kind: "displayText"; roomIds: number[] }
  | { kind: "createPasscode"; target: PasscodeTarget };

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

type StayActionsProviderProps = {
  /** Shows the dialog of an act. It may be a part that is loaded later. */
  Dialog: ComponentType<{ act: Act; onClose: () => void }>;
  children: ReactNode;
};

/** Carries out `StayActions` for board, palette and pages. One dialog is open at a time. */
export function StayActionsProvider({ Dialog, children }: StayActionsProviderProps) {
  const navigate = useNavigate();
  const [act, open] = useState<Act | null>(null);

  const actions = useMemo((): StayActions => {
    // The connection bar says why nothing opens. A dialog that opened when the server is back would surprise the
    // operator.
    const setAct = (act: Act): void => {
      if (!isConnectionLost()) open(act);
    };
    const onStay = (kind: StayAct) => (stayId: number) => setAct({ kind, stayId });
    return {
      checkIn: (roomId) => setAct({ kind: "checkIn", roomId }),
      reserve: (roomId, period) => setAct({ kind: "reserve", roomId, period }),
      arrive: onStay("arrive"),
      checkOut: onStay("checkOut"),
      renew: onStay("renew"),
      changeRoom: onStay("changeRoom"),
      writeCard: onStay("writeCard"),
      addFace: onStay("addFace"),
      createPasscode: (target) => setAct({ kind: "createPasscode", target }),
      cancel: onStay("cancel"),
      checkKey: (target) => setAct({ kind: "checkKey", target }),
      sendDisplayText: (roomIds) => setAct({ kind: "displayText", roomIds }),
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
      {act && (
        <Suspense>
          <Dialog act={act} onClose={() => open(null)} />
        </Suspense>
      )}
    </StayActionsContext>
  );
}
