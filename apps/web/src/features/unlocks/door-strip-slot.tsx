import { useCallback, useState } from "react";
import { readStored, writeStored } from "@/lib/browser/stored.ts";
import { DoorStrip } from "./door-strip.tsx";

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
      {!isWaiting && <DoorStrip folded={folded} onFold={setFolded} />}
    </div>
  );
}

const KEY = "door-strip";
const NARROW = "(max-width: 639px)";

/** Whether the strip of door activity is folded; stored in this browser. */
function useStripFolded(): [boolean, (folded: boolean) => void] {
  const [folded, setFolded] = useState(() => {
    const stored = readStored(KEY);
    // On a phone it would take the space of two rows of rooms.
    return stored === null ? matchMedia(NARROW).matches : stored === "folded";
  });
  const saveFolded = useCallback((next: boolean) => {
    setFolded(next);
    writeStored(KEY, next ? "folded" : "open");
  }, []);
  return [folded, saveFolded];
}
