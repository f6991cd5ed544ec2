import type { Period } from "@innkey/shared/quote";
import { createContext, use } from "react";

export type StayAct = "writeCard" | "addFace" | "arrive" | "checkOut" | "renew" | "changeRoom" | "cancel";
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

/** Provided by StayActionsProvider. */
export const StayActionsContext = createContext<StayActions | null>(null);

export function useStayActions(): StayActions {
  const actions = use(StayActionsContext);
  if (!actions) throw new Error("useStayActions outside of StayActionsProvider");
  return actions;
}
