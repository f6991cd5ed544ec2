import { useNavigate } from "@tanstack/react-router";
import { type ReactNode, Suspense, useMemo, useState } from "react";
import { type Act, type StayAct, type StayActions, StayActionsContext } from "@/entities/stay/stay-actions.tsx";
import { appLazy, useWarmed } from "@/lib/loading/app-lazy.ts";
import { isConnectionLost } from "@/lib/loading/connection.ts";

const loadDialogs = () => import("./act-dialog.tsx");
const ActDialog = appLazy(loadDialogs);

/**
 * Opens the dialogs that act on a stay, from anywhere in the console: board, palette, guest page. One is open at a
 * time.
 */
export function StayActionsProvider({ children }: { children: ReactNode }) {
  const navigate = useNavigate();
  const [act, open] = useState<Act | null>(null);

  useWarmed(loadDialogs);

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
          <ActDialog act={act} onClose={() => open(null)} />
        </Suspense>
      )}
    </StayActionsContext>
  );
}
