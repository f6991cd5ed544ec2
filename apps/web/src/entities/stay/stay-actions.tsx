import type { StayUnit } from "@innkey/shared/enums";
import type { Period } from "@innkey/shared/price-rules";
import type { ChangeTarget } from "@innkey/shared/schemas/overview/timeline";
import { useNavigate } from "@tanstack/react-router";
import { type ComponentType, createContext, type ReactNode, Suspense, use, useMemo, useState } from "react";
import { isConnectionLost } from "@/lib/loading/connection.ts";

/** A card by its number, at its own door or at a common one. */
export type CardToCheck = { number: string; doorId?: number };
/** Key to check: a card, or the keys of a room. With null, the dialog asks for one first. */
export type KeyToCheck = CardToCheck | { roomId: number } | null;
/** Whom a new code is for: a stay, or rooms, which may still have to be selected. */
export type PasscodeTarget = { stayId: number } | { roomIds: number[] };

/** After which act the keys of a stay are shown, or whether only its cards are to be written. */
export type KeysAfter = "arrival" | "guest" | "extension" | "move" | "departure" | "cards";

/** A period that was chosen before the room. */
export type ChosenPeriod = Period & { unit?: StayUnit };
/** A later departure, and the act that came before the renewal. */
export type Renewal = { endsAt: string; after: "extension" | "move" };
/** What a room change is for, if another act needs it first. */
export type RoomChange = { roomId: number; next?: { act: "arrive" } | { act: "renew"; endsAt: string } };

/** A dialog of an action, and what it is about. */
type StayDialog =
  | { name: "findRoom" }
  | { name: "checkIn" | "reserve"; roomId: number; period: ChosenPeriod | undefined }
  | {
      name:
        | "arrive"
        | "undoCheckIn"
        | "checkOut"
        | "undoCheckOut"
        | "cancel"
        | "noShow"
        | "reinstate"
        | "addExtra"
        | "addFace";
      stayId: number;
    }
  | { name: "renew"; stayId: number; renewal: Renewal | undefined }
  | { name: "changeRoom"; stayId: number; change: RoomChange | undefined }
  | { name: "changeTo"; target: ChangeTarget }
  | { name: "keys"; stayId: number; after: KeysAfter; done?: string }
  | { name: "lostCard"; stayId: number; cardId: number | undefined }
  | { name: "createPasscode"; target: PasscodeTarget }
  | { name: "checkKey"; target: KeyToCheck }
  | { name: "sendDisplayText"; roomId: number };
export type StayActions = {
  /** Finds a free room by dates. */
  findRoom: () => void;
  checkIn: (roomId: number, period?: ChosenPeriod) => void;
  reserve: (roomId: number, period?: ChosenPeriod) => void;
  /** Checks in the guests of a reservation. */
  arrive: (stayId: number) => void;
  /** Takes back a check-in. */
  undoCheckIn: (stayId: number) => void;
  checkOut: (stayId: number) => void;
  /** Takes back a check-out. */
  undoCheckOut: (stayId: number) => void;
  renew: (stayId: number, renewal?: Renewal) => void;
  changeRoom: (stayId: number, change?: RoomChange) => void;
  /** Previews a stay in another room or period. */
  changeTo: (target: ChangeTarget) => void;
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
  /** Changes the text on the display of the room's lock. */
  sendDisplayText: (roomId: number) => void;
  /** Cancels a reservation. */
  cancel: (stayId: number) => void;
  /** Records that the guests of a reservation didn't come. */
  noShow: (stayId: number) => void;
  /** Brings back a reservation that ended before its guests came. */
  reinstate: (stayId: number) => void;
  /** Opens the form for a card that shows a vacant room. */
  showRoom: (roomId: number) => void;
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
      findRoom: () => open({ name: "findRoom" }),
      checkIn: (roomId, period) => open({ name: "checkIn", roomId, period }),
      reserve: (roomId, period) => open({ name: "reserve", roomId, period }),
      arrive: (stayId) => open({ name: "arrive", stayId }),
      undoCheckIn: (stayId) => open({ name: "undoCheckIn", stayId }),
      checkOut: (stayId) => open({ name: "checkOut", stayId }),
      undoCheckOut: (stayId) => open({ name: "undoCheckOut", stayId }),
      renew: (stayId, renewal) => open({ name: "renew", stayId, renewal }),
      changeRoom: (stayId, change) => open({ name: "changeRoom", stayId, change }),
      changeTo: (target) => open({ name: "changeTo", target }),
      addExtra: (stayId) => open({ name: "addExtra", stayId }),
      writeCard: (stayId) => open({ name: "keys", stayId, after: "cards" }),
      showKeys: (stayId, after, done) => open({ name: "keys", stayId, after, done }),
      replaceLostCard: (stayId, cardId) => open({ name: "lostCard", stayId, cardId }),
      addFace: (stayId) => open({ name: "addFace", stayId }),
      createPasscode: (target) => open({ name: "createPasscode", target }),
      cancel: (stayId) => open({ name: "cancel", stayId }),
      noShow: (stayId) => open({ name: "noShow", stayId }),
      reinstate: (stayId) => open({ name: "reinstate", stayId }),
      checkKey: (target) => open({ name: "checkKey", target }),
      sendDisplayText: (roomId) => open({ name: "sendDisplayText", roomId }),
      showRoom: (roomId) => void navigate({ to: "/center/addSpecialCard", search: { room: roomId } }),
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
