import type { Period } from "@innkey/shared/quote";
import { createContext, use } from "react";

export type StayAct = "writeCard" | "addFace" | "arrive" | "checkOut" | "renew" | "changeRoom" | "cancel";
/** A card's number as read, or a room; null: the dialog asks for it first. */
export type KeyInQuestion = { number: string } | { roomId: number } | null;
/** A code for a stay, or for rooms, which may still have to be chosen. */
export type PasscodeTarget = { stayId: number } | { roomIds: number[] };
export type Act =
  | { kind: "checkIn" | "reserve"; roomId: number; period?: Period }
  | { kind: StayAct; stayId: number }
  | { kind: "checkKey"; of: KeyInQuestion }
  | { kind: "notice"; roomIds: number[] }
  | { kind: "newCode"; of: PasscodeTarget };

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
  newCode: (of: PasscodeTarget) => void;
  /** Explains why a key doesn't open its door. */
  checkKey: (of: KeyInQuestion) => void;
  /** A text on the displays of the rooms' locks. */
  sendNotice: (roomIds: number[]) => void;
  /** Gives a reservation up. */
  cancel: (stayId: number) => void;
  /** Goes to the guest's page. */
  openStay: (stayGuestId: number, otherInformation?: string) => void;
};

/** Given by StayActionsProvider. */
export const StayActionsContext = createContext<StayActions | null>(null);

export function useStayActions(): StayActions {
  const actions = use(StayActionsContext);
  if (!actions) throw new Error("useStayActions outside of StayActionsProvider");
  return actions;
}
