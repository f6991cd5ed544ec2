import { ReaderFailure } from "@/entities/reader/reader-failure.tsx";
import { failureOf, failureText } from "@/lib/api-error.ts";
import { textOf, useTranslation } from "@/lib/i18n.ts";
import { ReaderError } from "@/readers/reader-error.ts";
import { Alert } from "@/ui/primitives/alert.tsx";
import { StillThere } from "./use-card-writing.ts";
import type { WriteStep } from "./write-card.ts";

/** A reader's failure or the server's; once the card may carry something, that it is to be written again. */
export function WritingFailure({ error, step }: { error: unknown; step: WriteStep }) {
  const { t } = useTranslation();
  const begun = step === "write" || step === "confirm";
  if (error instanceof StillThere) {
    return (
      <Alert tone="warning" title={t("card.sameCard")}>
        <p>{t("card.sameCardText")}</p>
      </Alert>
    );
  }
  if (error instanceof ReaderError) {
    if (error.kind !== "cancelled") return <ReaderFailure failure={error} />;
    return (
      <Alert tone="warning" title={t("reader.error.cancelled")}>
        <p>{t("card.tryAgain")}</p>
      </Alert>
    );
  }
  const failure = failureOf(error);
  const fields = Object.values(failure.fields ?? {});
  return (
    <Alert tone="danger" title={failureText(failure)}>
      {fields.map(({ key, params }) => (
        <p key={key}>{textOf(key, params, "validation.unknown")}</p>
      ))}
      {begun && <p>{t("card.tryAgain")}</p>}
    </Alert>
  );
}
