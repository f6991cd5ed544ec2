import { t } from "../i18n.ts";
import { toast } from "../toast.ts";

/** Copies the text and shows whether that worked. Without https, browsers have no clipboard. */
export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast.success(t("reader.copied"));
  } catch {
    toast.error(t("reader.copyFailed"));
  }
}
