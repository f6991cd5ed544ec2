import { TEST_EVENT, WEBHOOK_EVENTS } from "@innkey/shared/webhook-events";
import { t } from "@/lib/i18n.ts";

const KNOWN = [...WEBHOOK_EVENTS, TEST_EVENT] as const;

/** What an event is about; one that this version doesn't know is shown by its name. */
export function eventWords(event: string): string {
  const known = KNOWN.find((one) => one === event);
  return known ? t(`third.event.${known}`) : event;
}
