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
          ? "mb-4 h-10 rounded-lg border bg-card shadow-card"
          : "mb-4 h-38 rounded-lg border bg-card shadow-card lg:h-14"
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

/** Whether the strip of door activity is folded; stored in this browser. */
function useStripFolded(): [boolean, (folded: boolean) => void] {
  const [folded, setFolded] = useState(() => {
    try {
      return localStorage.getItem(KEY) === "folded";
    } catch {
      return false;
    }
  });
  const saveFolded = useCallback((next: boolean) => {
    setFolded(next);
    try {
      localStorage.setItem(KEY, next ? "folded" : "open");
    } catch {
      // Without storage, the strip is open again on the next visit.
    }
  }, []);
  return [folded, saveFolded];
}
