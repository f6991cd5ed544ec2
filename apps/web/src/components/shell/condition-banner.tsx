import { Suspense } from "react";
import { houseLazy } from "@/lib/house-lazy.ts";
import { useCondition } from "./use-condition.ts";

const ConditionNotice = houseLazy(() => import("./condition-notice.tsx"));

/** Above every page: what does not work as it should, for as long as it doesn't. */
export function ConditionBanner() {
  const known = useCondition();
  return (
    <div aria-live="polite">
      {known.length > 0 && (
        <Suspense>
          <ConditionNotice known={known} />
        </Suspense>
      )}
    </div>
  );
}
