import { Suspense, useSyncExternalStore } from "react";
import { onConfirmation, pendingConfirmation } from "@/lib/confirm.ts";
import { lazyPart } from "@/lib/loading/app-lazy.ts";

const ConfirmDialog = lazyPart(() => import("./confirm-dialog.tsx"));

/** Renders the confirmation dialog; mounted once, in the root route. */
export function ConfirmHost() {
  const current = useSyncExternalStore(onConfirmation, pendingConfirmation);
  return (
    current && (
      <Suspense>
        <ConfirmDialog {...current} />
      </Suspense>
    )
  );
}
