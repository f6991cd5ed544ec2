import type { ReactNode } from "react";
import type { ReaderError } from "@/readers/reader-error.ts";
import { Callout } from "@/ui/callout.tsx";
import { failureWords } from "./reader-words.ts";

/** Shows what went wrong at the reader, what to do, and the reader's own result. */
export function ReaderFailure({ failure, actions }: { failure: ReaderError; actions?: ReactNode }) {
  const { title, hint, detail } = failureWords(failure);
  return (
    <Callout tone="danger" title={title} actions={actions}>
      {hint && <p>{hint}</p>}
      {detail && <p className="text-sm text-muted-foreground">{detail}</p>}
    </Callout>
  );
}
