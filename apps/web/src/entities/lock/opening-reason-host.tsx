import { Suspense, useSyncExternalStore } from "react";
import { appLazy } from "@/lib/loading/app-lazy.ts";
import { onOpeningQuestion, openingQuestion } from "./ask-opening-reason.ts";

const OpeningReasonDialog = appLazy(() => import("./opening-reason-dialog.tsx"));

/** Renders the question why an occupied room is opened; mounted once, in the frame around every page. */
export function OpeningReasonHost() {
  const question = useSyncExternalStore(onOpeningQuestion, openingQuestion);
  return (
    question && (
      <Suspense>
        <OpeningReasonDialog {...question} />
      </Suspense>
    )
  );
}
