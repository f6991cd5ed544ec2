import { TEST_EVENT, WEBHOOK_EVENTS } from "@innkey/shared/webhook-events";
import { t } from "@/lib/i18n.ts";

const KNOWN_EVENTS = [...WEBHOOK_EVENTS, TEST_EVENT] as const;

/** Returns the text for an event. An event that this version doesn't know is shown by its name. */
export function eventWords(event: string): string {
  const knownEvent = KNOWN_EVENTS.find((one) => one === event);
  return knownEvent ? t(`third.event.${knownEvent}`) : event;
}
