import { Suspense } from "react";
import { lazyPart } from "@/lib/app-lazy.ts";
import { useStripFolded } from "./strip-state.ts";

const DoorStrip = lazyPart(() => import("./door-strip.tsx"));

/** Keeps the strip's place on the board, so that nothing moves when it comes. `wait` until the board itself is there. */
export function DoorStripSlot({ wait }: { wait: boolean }) {
  const [folded, setFolded] = useStripFolded();
  return (
    <div
      className={
        folded
          ? "mb-4 h-10 rounded-lg border bg-card shadow-card"
          : "mb-4 h-38 rounded-lg border bg-card shadow-card lg:h-14"
      }
    >
      {!wait && (
        <Suspense>
          <DoorStrip folded={folded} onFold={setFolded} />
        </Suspense>
      )}
    </div>
  );
}
