import { Suspense } from "react";
import { appLazy } from "@/lib/app-lazy.ts";
import { useCondition } from "./use-condition.ts";

const ConditionNotice = appLazy(() => import("./condition-notice.tsx"));

/** Above every page: what does not work as it should, for as long as it doesn't. */
export function ConditionBanner() {
  const condition = useCondition();
  return (
    <div aria-live="polite">
      {condition.length > 0 && (
        <Suspense>
          <ConditionNotice known={condition} />
        </Suspense>
      )}
    </div>
  );
}
