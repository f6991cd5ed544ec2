import { Suspense, useCallback, useState } from "react";
import { lazyPart } from "@/lib/loading/app-lazy.ts";

const DoorStrip = lazyPart(() => import("./door-strip.tsx"));

/**
 * Reserves the space of the strip on the board, so that the layout doesn't jump. `isWaiting` is true until the board
 * has loaded.
 */
export function DoorStripSlot({ isWaiting }: { isWaiting: boolean }) {
  const [folded, setFolded] = useStripFolded();
  return (
    <div
      className={
        folded
          ? "mb-3 h-10 rounded-lg border bg-card shadow-card"
          : "mb-3 h-38 rounded-lg border bg-card shadow-card lg:h-10"
      }
    >
      {!isWaiting && (
        <Suspense>
          <DoorStrip folded={folded} onFold={setFolded} />
        </Suspense>
      )}
    </div>
  );
}

const KEY = "door-strip";
const NARROW = "(max-width: 639px)";

/** Whether the strip of door activity is folded; stored in this browser. */
function useStripFolded(): [boolean, (folded: boolean) => void] {
  const [folded, setFolded] = useState(() => {
    try {
      // On a phone it would take the space of two rows of rooms.
      return (localStorage.getItem(KEY) ?? (matchMedia(NARROW).matches ? "folded" : "open")) === "folded";
    } catch {
      return false;
    }
  });
  const saveFolded = useCallback((next: boolean) => {
    setFolded(next);
    try {
      localStorage.setItem(KEY, next ? "folded" : "open");
    } catch {
      // Without storage, the strip is as before on the next visit.
    }
  }, []);
  return [folded, saveFolded];
}
