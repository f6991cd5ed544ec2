import { Suspense, useSyncExternalStore } from "react";
import { lazyPart } from "@/lib/app-lazy.ts";
import { onConfirmation, pendingConfirmation } from "@/lib/confirm.ts";

const ConfirmDialog = lazyPart(() => import("./confirm-dialog.tsx"));

/** Rendered once, in the root route. */
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
