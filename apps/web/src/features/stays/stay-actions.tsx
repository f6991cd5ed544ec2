import { useNavigate } from "@tanstack/react-router";
import { createContext, lazy, type ReactNode, Suspense, use, useEffect, useMemo, useState } from "react";

type StayAct = "writeCard" | "arrive" | "checkOut" | "renew" | "changeRoom" | "cancel";
export type Act = { kind: "checkIn" | "reserve"; roomId: number } | { kind: StayAct; stayId: number };

export type StayActions = {
  checkIn: (roomId: number) => void;
  reserve: (roomId: number) => void;
  /** The party of a reservation checks in. */
  arrive: (stayId: number) => void;
  checkOut: (stayId: number) => void;
  renew: (stayId: number) => void;
  changeRoom: (stayId: number) => void;
  /** A room card for someone in the house. */
  writeCard: (stayId: number) => void;
  /** Gives a reservation up. */
  cancel: (stayId: number) => void;
  /** Goes to the guest's page. */
  openStay: (manageId: number, otherInformation?: string) => void;
};

const Context = createContext<StayActions | null>(null);

const loadDialogs = () => import("./act-dialog.tsx");
const ActDialog = lazy(loadDialogs);
/** By then the page is at rest, and nobody has clicked through a menu yet. */
const WARM_MILLISECONDS = 3000;

/** Opens what is done with a stay from anywhere in the console: board, palette, guest page. One at a time. */
export function StayActionsProvider({ children }: { children: ReactNode }) {
  const navigate = useNavigate();
  const [act, setAct] = useState<Act | null>(null);

  useEffect(() => {
    const timer = setTimeout(() => void loadDialogs(), WARM_MILLISECONDS);
    return () => clearTimeout(timer);
  }, []);

  const actions = useMemo((): StayActions => {
    const onRoom = (kind: "checkIn" | "reserve") => (roomId: number) => setAct({ kind, roomId });
    const onStay = (kind: StayAct) => (stayId: number) => setAct({ kind, stayId });
    return {
      checkIn: onRoom("checkIn"),
      reserve: onRoom("reserve"),
      arrive: onStay("arrive"),
      checkOut: onStay("checkOut"),
      renew: onStay("renew"),
      changeRoom: onStay("changeRoom"),
      writeCard: onStay("writeCard"),
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
      {act && (
        <Suspense>
          <ActDialog act={act} onClose={() => setAct(null)} />
        </Suspense>
      )}
    </Context>
  );
}

export function useStayActions(): StayActions {
  const actions = use(Context);
  if (!actions) throw new Error("useStayActions outside of StayActionsProvider");
  return actions;
}
